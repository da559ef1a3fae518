/* What every page can do: log in and out, select the light or dark theme. */
import { on, part, saying } from './dom.js';
import { Trouble, call } from './live.js';
import './theme.js';

on('click', '[data-act=logout]', async () => {
  await call('POST', '/session/logout').catch(() => null);
  location.assign('/');
});

/** @type {Record<string, (value: string) => unknown>} */
const READ = {
  integer: Number,
  boolean: (value) => value === 'true',
  json: (value) => JSON.parse(value),
  choices: (value) => (value.includes(', ') ? value.split(', ') : value),
};

/** The choices that differ from the defaults of the rulebook, and the keys entered as JSON. @param {HTMLFormElement} form */
function submitted(form) {
  const { name, rulebook, cards, submission: written } = Object.fromEntries(new FormData(form));
  /** @type {Record<string, unknown>} */
  const submission = {};
  /** @type {Record<string, string>} */
  const readings = {};
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>} */
  const fields = form.querySelectorAll(`[data-book="${rulebook}"] [data-key]`);
  for (const { dataset, value } of fields) {
    const chosen = value.trim();
    if (chosen === dataset.default) continue;
    const [key, reading] = (dataset.key || '').split('.');
    if (reading) readings[reading] = chosen;
    else submission[key] = chosen === '' ? null : (READ[dataset.type || ''] || String)(chosen);
  }
  const read = Object.keys(readings).length ? { readings } : {};
  return { name, rulebook, cards, submission: { ...submission, ...read, ...JSON.parse(String(written || '{}')) } };
}

on('submit', 'form[data-act]', async (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  try {
    if (form.dataset.act === 'login') await call('POST', '/session/login', Object.fromEntries(new FormData(form)));
    if (form.dataset.act === 'open-table') await call('POST', '/tables', submitted(form));
    location.assign('/');
  } catch (wrong) {
    part(form, 'wrong').textContent = wrong instanceof Trouble && wrong.cite ? `${wrong.message} (${wrong.cite})` : saying(wrong);
  }
});
