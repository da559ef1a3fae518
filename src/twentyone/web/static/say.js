/* The sentences under the layout: what the server says to the person who looks, each with its paragraph. */
import { call } from './live.js';
import { chipOf, el, kept, unbroken } from './dom.js';
/** @import { Last, Review, Said, View } from '../view.d.ts' */

const MARKS = 'twentyone_marks';

export class Say {
  /** The sentences that are shown. @type {string[]} */
  said = [];
  /** The round whose result is shown. */
  told = 0;

  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
    const marks = /** @type {HTMLInputElement} */ (page.part('marks'));
    marks.checked = kept(MARKS) === 'on';
    marks.addEventListener('change', () => {
      kept(MARKS, marks.checked ? 'on' : 'off');
      this.mark();
    });
  }

  /** Show the sentences, and say aloud those that are new; a result is said whole. @param {View} view */
  show({ saying = [], last = null, you, phase }) {
    this.page.part('marks').parentElement?.toggleAttribute('hidden', !you.boxes.length && !you.standing);
    const said = saying.map(({ text }) => text);
    const result = last !== null && last.round !== this.told;
    const news = said.filter((text) => result || !this.said.includes(text));
    if (said.join() !== this.said.join()) this.page.part('say').replaceChildren(...saying.flatMap((one) => this.sentence(one)));
    if (this.said.length && news.length) this.page.part('announce').textContent = news.join(' ');
    this.said = said;
    if ((last?.round || 0) !== this.told) this.settled(last);
    if (phase === 'round') this.page.forget();
  }

  /** @param {Said} said */
  sentence({ text, cite, part }) {
    return [el('span', { class: part ? 'tw-part' : null }, ...unbroken(text)), ' ', chipOf(cite, this.page.open), ' '];
  }

  /** At the settlement the paying paragraph opens by itself. @param {Last | null} last */
  settled(last) {
    this.told = last?.round || 0;
    if (last?.cite) this.page.why(last.cite, last.round);
    this.mark();
  }

  /** For who asks for it: best play, or what the other decision would have been worth. */
  async mark() {
    const { told } = this;
    const box = this.page.part('mark');
    box.textContent = '';
    if (!told || kept(MARKS) !== 'on') return;
    /** @type {Review | null} */
    const found = await call('GET', `/tables/${this.page.id}/review`).catch(() => null);
    if (found?.round === this.told) box.textContent = found.text;
  }
}
