/* Verify the ledger from the page of rounds. */
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
