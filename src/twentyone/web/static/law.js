/* The tests of a paragraph, loaded on request. */
import { call } from './live.js';
import { el } from './dom.js';

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-act=tests]');
  if (!button) return;
  const { rulebook, paragraph } = button.dataset;
  const entry = await call('GET', `/law/${rulebook}/${encodeURIComponent(paragraph)}`);
  const lines = entry.tests.length ? entry.tests.map((test) => el('li', {}, test)) : [el('li', {}, 'no script is named after this paragraph alone')];
  button.replaceWith(el('ul', { class: 'tw-note' }, ...lines));
});
