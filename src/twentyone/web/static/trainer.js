/* Trainer and drill: an answer is kept, then its mark is shown; each has its key. The cards of a run come one after the other. */
import { on, part, saying } from './dom.js';
import { call } from './live.js';

/** Keep an answer, where progress is kept, and show its mark. @param {HTMLElement} button */
async function decide(button) {
  const asked = /** @type {HTMLElement} */ (button.closest('[data-answer]'));
  const { answer = '{}', keeps } = asked.dataset;
  const { decision = '', choice } = button.dataset;
  const said = choice === undefined ? { decision } : { choice: Number(choice) };
  try {
    if (keeps !== undefined) await call('POST', `/training/${keeps}`, { ...JSON.parse(answer), ...said });
    const goes = /** @type {HTMLElement} */ (button.closest('[data-goes]')).dataset.goes;
    location.assign(`${goes}&said=${choice ?? decision}`);
  } catch (wrong) {
    part(asked, 'wrong').textContent = saying(wrong);
  }
}

on('click', '[data-decision], [data-choice]', decide);

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches('input:not([type=radio]), select')) return;
  const button = [...document.querySelectorAll('[data-decision], [data-choice]')].find((found) => found.getAttribute('aria-keyshortcuts') === event.key);
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
/* Whoever has chosen a game answers by keys: in the list of games a letter would choose another one. */
if (document.activeElement?.matches('body, select[name=game]')) /** @type {HTMLElement | null} */ (document.querySelector('[data-part=asked]'))?.focus({ preventScroll: true });
