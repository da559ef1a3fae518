/* The replay of a round: a slider over its events on the same layout, each with its paragraph and an address of its own. */
import { Layout } from './layout.js';
import { call } from './live.js';
import { checkWheel } from './shoe.js';
import { chipOf, el, near, part, saying, titled } from './dom.js';
/** @import { Dealt, Entry, Frame, RevealedWheel } from '../view.d.ts' */

const EVENT = /^#event-(\d+)$/;

/** Who did it, and when; nothing of an event that nobody brought about. @param {Frame} frame */
const told = ({ by, at }) => (by && at ? [el('small', { class: 'tw-who' }, by, ' · ', el('time', { datetime: new Date(at * 1000).toISOString() }, `${new Date(at * 1000).toISOString().slice(11, 19)} UTC`))] : []);

export class Replay {
  /** @type {Frame[]} */
  frames = [];
  at = 0;
  timer = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.address = `/rounds/${root.dataset.table}/${root.dataset.round}`;
    this.layout = new Layout(part(root, 'stage'));
    /** @type {HTMLInputElement} */
    this.slider = part(root, 'slider');
    this.narrow = matchMedia('(max-width: 720px)');
    this.narrow.addEventListener('change', () => this.show(this.at));
    this.slider.addEventListener('input', () => {
      this.play(false);
      this.show(Number(this.slider.value));
    });
    root.addEventListener('click', (event) => this.act(event));
    addEventListener('hashchange', () => this.open());
    this.begin();
  }

  begin() {
    this.load();
    this.deal();
    this.wheels();
  }

  async load() {
    /** @type {{ frames: Frame[] }} */
    const round = await call('GET', this.address);
    this.tell(round.frames);
    this.open();
  }

  /** Tell a story, event by event. @param {Frame[]} frames @param {(frame: Frame, index: number) => (Node | string)[]} [beside] */
  tell(frames, beside = () => []) {
    this.frames = frames;
    this.slider.max = String(frames.length - 1);
    part(this.root, 'story').replaceChildren(...frames.map((frame, index) => el('li', {},
      el('span', {}, el('a', { class: 'tw-link', href: `#event-${index + 1}` }, titled(frame.says)), ...told(frame)), ...beside(frame, index), chipOf(frame.cite, (cite) => this.why(cite)))));
  }

  /** Show the event that the address names, or the first. */
  open() {
    const named = EVENT.exec(location.hash);
    this.play(false);
    this.show(named ? Math.min(Number(named[1]), this.frames.length) - 1 : 0);
  }

  /** Have the round dealt again by the server. */
  async deal() {
    /** @type {Dealt} */
    const dealt = await call('GET', `${this.address}/dealt`).catch((wrong) => ({ identical: null, says: saying(wrong), why: '' }));
    const line = part(this.root, 'dealt');
    line.textContent = `${dealt.identical ? '✓ ' : ''}${dealt.says} ${dealt.why}`.trim();
    line.className = `tw-dealt ${dealt.identical ? 'well' : dealt.identical === false ? 'wrong' : ''}`;
  }

  /** Check the wheels of the round here, where it had any. */
  async wheels() {
    const place = part(this.root, 'wheels');
    if (place.dataset.turned === undefined) return;
    try {
      /** @type {RevealedWheel} */
      const wheel = await call('GET', `${this.address}/wheel`);
      if (!wheel.seed) return;
      const faults = await checkWheel(wheel);
      place.hidden = false;
      const well = `The SHA-256 of the seed is the commitment, and ${wheel.spins.length === 1 ? 'the spin' : `all ${wheel.spins.length} spins`} stopped where it says.`;
      place.append(el('p', { class: faults.length ? 'wrong' : 'well' }, faults.join(' ') || `✓ Checked in this browser. ${well}`),
        el('p', {}, 'Commitment ', el('code', {}, wheel.commitment)), el('p', {}, 'Seed ', el('code', {}, wheel.seed)));
    } catch (wrong) {
      place.hidden = false;
      place.append(el('p', { class: 'wrong' }, saying(wrong)));
    }
  }

  /** @param {Event} event */
  act(event) {
    const name = near(event, '[data-act]')?.dataset.act;
    if (name === 'script') this.save(event);
    if (name === 'back') this.show(this.at - 1);
    if (name === 'on') this.show(this.at + 1);
    if (name === 'play') this.play(!this.timer);
    else if (name) this.play(false);
  }

  /** Save the script, or say why there is none. @param {Event} event */
  async save(event) {
    event.preventDefault();
    try {
      const script = await call('GET', `${this.address}/script`);
      const file = URL.createObjectURL(new Blob([JSON.stringify(script, null, 2)], { type: 'application/json' }));
      el('a', { href: file, download: `${this.root.dataset.table}-${this.root.dataset.round}.json` }).click();
      setTimeout(() => URL.revokeObjectURL(file), 60_000);
    } catch (wrong) {
      part(this.root, 'say').textContent = `There is no script of this round: ${saying(wrong)}.`;
    }
  }

  /** Play the events one after the other, until the end or until stopped. @param {boolean} on */
  play(on) {
    clearInterval(this.timer);
    this.timer = 0;
    const button = this.root.querySelector('[data-act=play]');
    if (button) button.textContent = on ? 'Pause' : 'Play';
    if (!on) return;
    if (this.at >= this.frames.length - 1) this.show(0);
    this.timer = setInterval(() => (this.at >= this.frames.length - 1 ? this.play(false) : this.show(this.at + 1)), 700);
  }

  /** Mark the line of the event in the story: only the story scrolls, not the page. @param {number} at */
  mark(at) {
    const story = part(this.root, 'story');
    [...story.children].forEach((line, index) => {
      line.toggleAttribute('data-now', index === at);
      line.querySelector('a')?.setAttribute('aria-current', String(index === at));
    });
    const line = /** @type {HTMLElement | undefined} */ (story.children[at]);
    if (line) story.scrollTop = line.offsetTop - story.offsetTop - (story.clientHeight - line.offsetHeight) / 2;
  }

  /** @param {number} at */
  show(at) {
    const frame = this.frames[at];
    if (!frame) return;
    this.at = at;
    this.slider.value = String(at);
    this.slider.setAttribute('aria-valuetext', frame.says);
    history.replaceState(null, '', at || location.hash ? `#event-${at + 1}` : location.href);
    this.layout.render(frame.view, true);
    if (this.narrow.matches) this.layout.focus(frame.view.boxes.filter((box) => box.hands.length).map((box) => box.box));
    else this.layout.whole();
    part(this.root, 'say').replaceChildren(`${at + 1} of ${this.frames.length}: ${titled(frame.says)} `, ...told(frame), ' ', chipOf(frame.cite, (cite) => this.why(cite)));
    this.mark(at);
  }

  /** The entry of a paragraph, with the way to the law and to the other rounds that cite it. @param {string} cite */
  async why(cite) {
    const { rulebook } = this.root.dataset;
    /** @type {Entry & { paragraph?: string }} */
    const entry = await call('GET', `/law/cite?rulebook=${rulebook}&cite=${encodeURIComponent(cite)}`).catch(() => ({ cite, says: '' }));
    const ways = entry.paragraph ? [' ', el('a', { href: `/law/${rulebook}#${entry.paragraph}` }, 'in the rulebook'), ' ',
      el('a', { href: `/rounds?paragraph=${encodeURIComponent(cite)}` }, 'rounds that cite it')] : [];
    part(this.root, 'why').replaceChildren(el('b', {}, entry.cite), el('span', {}, entry.says, ...ways));
  }
}

const page = /** @type {HTMLElement | null} */ (document.querySelector('[data-page=round]'));
if (page) new Replay(page);
