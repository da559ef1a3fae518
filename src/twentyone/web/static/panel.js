/* The panel beside the layout: what a hand is worth, the story of the round, the shoe, the meters. */
import { chipOf, el, money, plain, signed, titled, unbroken } from './dom.js';
/** @import { Hints } from '../view.d.ts' */

const HASH = /^[0-9a-f]{64}$/;
/** @param {string} text */
const committed = (text) => (HASH.test(text) ? `Committed to as ${text.slice(0, 4)}…${text.slice(-4)}; the seed is published when the shoe is finished.` : 'Shuffled by hand: the dealer enters each card.');
/** @param {string} text @param {boolean} playing */
const turning = (text, playing) => (HASH.test(text) ? ` The wheels of ${playing ? 'this' : 'the next'} round are committed to as ${text.slice(0, 4)}…${text.slice(-4)}; their seed is published when it is over.` : '');

export class Panel {
  metered = '';

  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
    page.part('shoe').after(el('a', { href: `/shoes/${page.id}`, target: '_blank', rel: 'noopener' }, 'Check the shoes'));
  }

  show() {
    this.page.part('worth').replaceChildren(...(this.page.hints ? this.worth(this.page.hints) : []));
    const from = this.page.log.findLastIndex(({ kind }, n) => kind === 'wager_laid' && this.page.log[n - 1]?.kind !== kind);
    const story = this.page.log.slice(Math.max(0, Math.min(from < 0 ? this.page.log.length - 12 : from, this.page.log.length - 12)));
    this.page.part('story').replaceChildren(...story.toReversed().map((line) => el('li', {}, el('span', {}, ...unbroken(titled(line.says))), chipOf(line.cite, this.page.open))));
    this.page.part('round').textContent = this.page.view.round ? `Round ${this.page.view.round.toLocaleString('en-US')}` : 'At the table';
    const { shoe } = this.page.view;
    const dealt = shoe ? `Shoe ${shoe.number}, ${shoe.left} of ${shoe.size} cards left. ${committed(shoe.commitment)}` : 'No shoe is in play.';
    this.page.part('shoe').textContent = dealt + turning(this.page.view.wheel_commitment, ['round', 'settled'].includes(this.page.view.phase));
    this.meters();
  }

  /** The progressive meters; a change is animated. */
  meters() {
    const now = JSON.stringify(this.page.view.meters);
    if (now === this.metered) return;
    /** @type {Record<string, string>} */
    const before = this.metered ? JSON.parse(this.metered) : {};
    this.metered = now;
    this.page.part('meters').replaceChildren(...Object.entries(this.page.view.meters).map(([name, amount]) => {
      const shown = el('b', {}, money(amount));
      if (before[name] !== undefined && before[name] !== amount) this.tick(shown, Number(before[name]), Number(amount));
      const says = this.page.view.fixed_meters.includes(name) ? el('small', {}, ' a fixed amount: no wager adds to it') : null;
      return el('div', { class: 'tw-meter' }, el('span', {}, titled(name), says), shown);
    }));
  }

  /** @param {HTMLElement} element @param {number} from @param {number} to */
  tick(element, from, to) {
    if (this.page.layout.calm.matches) return;
    const begun = performance.now();
    const step = (/** @type {number} */ now) => {
      const part = Math.min(1, Math.max(0, now - begun) / 700);
      element.textContent = money(part < 1 ? from + (to - from) * part : to);
      if (part < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** @param {Hints} hints */
  worth({ decisions, best, basis }) {
    const rows = Object.entries(decisions).sort((one, other) => other[1] - one[1]);
    const body = rows.map(([name, value]) => el('tr', { class: name === best ? 'top' : null }, el('td', {}, plain(name)), el('td', {}, signed(value, 4))));
    return [el('h2', {}, 'This hand, exactly'), el('table', { class: 'tw-worth' }, el('tbody', {}, ...body)), el('p', { class: 'tw-note' }, basis || '')];
  }
}
