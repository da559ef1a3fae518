/* The page of rounds and of the shift report: verify the ledger, and say that a report is being made. */
import { call } from './live.js';
import { on, part, saying } from './dom.js';
/** @import { Report } from '../view.d.ts' */

/** @param {Report} report */
const found = ({ faults, counts }) => {
  const wrong = faults.map(({ stream, version, what }) => `${stream} ${version}: ${what}`);
  const well = Object.entries(counts).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`);
  return wrong.length ? `Found wrong: ${wrong.join('; ')}` : `All well: ${well.join(', ')}.`;
};

on('click', '[data-act=verify]', async () => {
  const said = part(document, 'verified');
  said.textContent = 'Hashing every event and dealing every round again …';
  try {
    said.textContent = found(await call('POST', '/verify'));
  } catch (wrong) {
    said.textContent = saying(wrong);
  }
});

on('submit', 'form[data-wait]', (/** @type {HTMLFormElement} */ form) => {
  part(form, 'waiting').textContent = form.dataset.wait || '';
});
