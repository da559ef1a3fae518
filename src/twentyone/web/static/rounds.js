/* Verify the ledger from the page of rounds. */
import { call } from './live.js';

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-act=verify]');
  if (!button) return;
  const said = document.querySelector('[data-part=verified]');
  said.textContent = 'Hashing every event and dealing every round again …';
  try {
    const report = await call('POST', '/verify');
    said.textContent = report.faults.length ? `Found wrong: ${report.faults.join('; ')}` : `All well: ${Object.entries(report.counts).map(([name, count]) => `${count.toLocaleString('en-US')} ${name}`).join(', ')}.`;
  } catch (wrong) {
    said.textContent = wrong.message;
  }
});
