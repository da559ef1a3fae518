/* Closing a table asks first: whose chips are at stake, and where they go. */
import { asked } from './ask.js';
import { chipOf, el, money, refused, titled } from './dom.js';
import { call, newKey } from './live.js';
/** @import { Closing } from '../view.d.ts' */

/** Show a paragraph in a tab of its own. @param {string} cite */
export const openLaw = (cite) => globalThis.open(`/law?q=${encodeURIComponent(cite.replace(/^.*§ /, ''))}`, '_blank', 'noopener');

/** What happens to the chips. @param {Closing} told */
function stakes({ players, sum, inventory }) {
  const held = Object.entries(players).filter(([, amount]) => Number(amount));
  const says = held.length ? `${money(sum)} lie in front of ${held.length === 1 ? 'one player' : `${held.length} players`}. All of it leaves the table:` : 'No player has chips here.';
  return [
    el('p', {}, says),
    el('ul', { class: 'tw-stakes' }, ...held.map(([name, amount]) => el('li', {}, `${name}: ${money(amount)} to the purse`))),
    el('p', { class: 'tw-note' }, `The table inventory of ${money(inventory)} stays. A person has to open the table again.`),
  ];
}

/** Close a table, now or after its round; whether it is closed. @param {string} table */
export async function askToClose(table) {
  try {
    const answer = await agreed(table, await call('GET', `/tables/${table}/closing`));
    if (answer === 'close') await call('POST', `/tables/${table}/commands`, { do: 'close_table', args: {}, key: newKey() });
    else if (answer) await call(answer, `/tables/${table}/closing`);
    return answer === 'close';
  } catch (wrong) {
    refused(wrong, openLaw);
    return false;
  }
}

/** What is wanted. @param {string} table @param {Closing} told */
function agreed(table, told) {
  const later = told.ordered ? ['DELETE', 'Let it go on'] : ['PUT', 'Close after this round'];
  const [value, label] = told.why ? later : ['close', 'Close the table'];
  const says = told.ordered ? `It closes after this round, as ${told.ordered} ordered.` : '';
  const inside = told.why ? [el('p', { class: 'loss' }, titled(told.why), ' ', chipOf(told.cite, openLaw)), says] : stakes(told);
  return asked(`Close ${table}?`, inside, 'Leave it open', told.closed ? [] : [[value, label]]);
}
