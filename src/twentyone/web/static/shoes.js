/* The page of a shoe: its seed is checked in this browser, and the order that follows from it is shown. */
import { call } from './live.js';
import { el, on, part, saying, symbols } from './dom.js';
import { checkShoe } from './shoe.js';
/** @import { RevealedShoe } from '../view.d.ts' */

/** @param {boolean} well @param {string} says */
const line = (well, says) => el('li', { class: well ? 'well' : 'wrong' }, `${well ? '✓' : '✗'} ${says}`);

/** @param {HTMLElement} page @param {RevealedShoe} shoe */
async function check(page, shoe) {
  const checks = part(page, 'checks');
  try {
    const { order, faults } = await checkShoe(shoe);
    const left = shoe.dealt.split(' ').filter(Boolean).length;
    const well = [line(true, 'The SHA-256 of the seed is the commitment.'), line(true, `All ${left} cards left the shoe in the order that seed and cut make.`)];
    checks.replaceChildren(...(faults.length ? faults.map((fault) => line(false, symbols(fault))) : well));
    part(page, 'order').replaceChildren(...order.map((card, index) => el('li', { class: index < left ? 'left' : null }, symbols(card))));
  } catch (wrong) {
    checks.replaceChildren(line(false, saying(wrong)));
  }
}

const page = /** @type {HTMLElement | null} */ (document.querySelector('[data-page=shoe]'));
if (page?.querySelector('[data-check]')) {
  /** @type {Promise<RevealedShoe>} */
  const loaded = call('GET', `/shoes/${page.dataset.table}/${page.dataset.version}`);
  /** @param {string} [seed] */
  const again = (seed) => loaded.then((shoe) => check(page, seed === undefined ? shoe : { ...shoe, seed }));
  on('submit', '[data-check]', (/** @type {HTMLFormElement} */ form, event) => {
    event.preventDefault();
    again(String(new FormData(form).get('seed')).trim().toLowerCase());
  });
  again().catch((wrong) => part(page, 'checks').replaceChildren(line(false, saying(wrong))));
}
