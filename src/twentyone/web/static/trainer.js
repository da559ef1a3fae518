/* The trainer: a decision is kept, then its mark is shown; each has its key. The cards of a run come one after the other. */
import { on, part, saying } from './dom.js';
import { call } from './live.js';

/** Keep a decision, where progress is kept, and show what it was worth. @param {HTMLElement} button */
async function decide(button) {
  const asked = /** @type {HTMLElement} */ (button.closest('[data-answer]'));
  const decision = button.dataset.decision || '';
  try {
    if (asked.dataset.keeps !== undefined) await call('POST', '/training/cell', { ...JSON.parse(asked.dataset.answer || '{}'), decision });
    const goes = /** @type {HTMLElement} */ (button.parentElement).dataset.goes;
    location.assign(`${goes}&said=${decision}`);
  } catch (wrong) {
    part(asked, 'wrong').textContent = saying(wrong);
  }
}

on('click', '[data-decision]', decide);

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches('input:not([type=radio]), select')) return;
  const button = [...document.querySelectorAll('[data-decision]')].find((found) => found.getAttribute('aria-keyshortcuts') === event.key);
  if (button instanceof HTMLElement) button.click();
});

/** Show the cards of a run one after the other. @param {HTMLElement} run */
async function pace(run) {
  const cards = /** @type {HTMLElement[]} */ ([...run.children]);
  for (const card of cards) card.hidden = true;
  for (const card of cards) {
    card.hidden = false;
    await new Promise((done) => setTimeout(done, Number(run.dataset.pace)));
    card.hidden = true;
  }
}

document.querySelectorAll('[data-pace]').forEach((run) => pace(/** @type {HTMLElement} */ (run)));
/** @type {HTMLElement | null} */ (document.querySelector('[data-part=next]'))?.focus();
