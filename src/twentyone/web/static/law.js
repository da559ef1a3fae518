/* The tests of a paragraph, loaded on request. */
import { call } from './live.js';
import { el, on } from './dom.js';

on('click', '[data-act=tests]', async (button) => {
  const { rulebook, paragraph } = button.dataset;
  /** @type {{ tests: string[] }} */
  const entry = await call('GET', `/law/${rulebook}/${encodeURIComponent(paragraph || '')}`);
  const lines = entry.tests.length ? entry.tests : ['no script is named after this paragraph alone'];
  button.replaceWith(el('ul', { class: 'tw-note' }, ...lines.map((line) => el('li', {}, line))));
});
