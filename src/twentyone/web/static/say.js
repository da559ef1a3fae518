/* The sentences under the layout: what the server says to the person who looks, each with its paragraph. */
import { chipOf, el } from './dom.js';
/** @import { View } from '../view.d.ts' */

export class Say {
  said = '';
  /** The round whose result is shown already. */
  told = 0;

  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** Show the sentences, and say them aloud where they are new. @param {View} view */
  show({ saying = [], last = null }) {
    const said = saying.map(({ text }) => text).join(' ');
    if (said !== this.said) {
      const first = !this.said;
      this.said = said;
      this.page.part('say').replaceChildren(...saying.flatMap(({ text, cite }) => [el('span', {}, text), ' ', chipOf(cite, this.page.open) || '', ' ']));
      if (!first) this.page.part('announce').textContent = said;
    }
    if (last && last.round !== this.told) this.settled(last.round, saying[0]?.cite);
  }

  /** At the settlement the paying paragraph opens by itself. @param {number} round @param {string} [cite] */
  settled(round, cite) {
    this.told = round;
    if (cite) this.page.why(cite, round);
  }
}
