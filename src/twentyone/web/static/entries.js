/* Corrections: what was entered last is one press away, its right card the second. */
import { el, titled } from './dom.js';
import { cardPad, shown } from './pad.js';
/** @import { Args, EnteredWord, View } from '../view.d.ts' */
/** @import { TablePage } from './table.js' */

const SHOWN = 8;
const WHY = 'mistyped at the console';
const CARD = /^(?:10|[2-9AJQK])[SHDC]$/;

/** @param {EnteredWord} entry */
const words = ({ word, box }) => `${CARD.test(word) ? shown(word) : `“${word}”`}${box ? ` on box ${box}` : ''}`;

export class Entries {
  /** The entry that is being corrected. @type {EnteredWord | null} */
  chosen = null;

  /** @param {TablePage} page @param {() => unknown} again Draws the console anew. */
  constructor(page, again) {
    this.page = page;
    this.again = again;
  }

  /** The last entries, and what it should have been for the one that is chosen. @param {View} view */
  parts(view) {
    const entries = (view.entries || []).slice(0, SHOWN);
    if (!entries.some((entry) => JSON.stringify(entry) === JSON.stringify(this.chosen))) this.chosen = null;
    if (!entries.length) return [];
    const buttons = entries.map((entry) => el('button', { class: 'tw-button', type: 'button', 'data-wrong': entry.word, 'aria-expanded': String(Boolean(this.chosen) && JSON.stringify(entry) === JSON.stringify(this.chosen)), onclick: () => this.#choose(entry) }, `${titled(words(entry))}${entries.length > 1 ? '' : ' is wrong'}`));
    return [el('div', { class: 'tw-entries', role: 'group', 'aria-label': 'correct an entry' }, el('p', { class: 'tw-note' }, entries.length > 1 ? 'Which entry is wrong? The last first:' : `Correct what was entered last${view.you.role === 'dealer' ? '; an earlier entry is the floorperson’s to correct' : ''}:`), el('div', { class: 'tw-row' }, ...buttons), ...(this.chosen ? [this.#right(view, this.chosen)] : []))];
  }

  /** @param {EnteredWord} entry */
  #choose(entry) {
    this.chosen = JSON.stringify(entry) === JSON.stringify(this.chosen) ? null : entry;
    this.again();
  }

  /** What it is: a card, or what the reader told. @param {View} view @param {EnteredWord} entry */
  #right(view, entry) {
    const why = el('input', { class: 'tw-field', name: 'why', value: WHY, maxlength: 120, 'aria-label': 'why it is corrected' });
    const correct = async (/** @type {string} */ right) => {
      /** @type {Args} */
      const args = { wrong: entry.word, right, why: why.value, number: entry.number };
      if (entry.box) args.box = entry.box;
      if (await this.page.command('correct_entry', args)) this.chosen = null;
    };
    const choices = CARD.test(entry.word) ? cardPad(view.ranks || [], correct) : el('div', { class: 'tw-row' }, ...entry.instead.map((word) => el('button', { class: 'tw-button', type: 'button', 'data-right': word, onclick: () => correct(word) }, titled(word))));
    return el('div', { class: 'tw-right', 'data-part': 'right' }, el('p', {}, `${titled(words(entry))} is in fact:`), choices, el('label', { class: 'tw-label' }, 'Why', why));
  }
}
