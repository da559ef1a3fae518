/* The replay of a round: a slider over its events on the same layout, each with its paragraph. */
import { Layout } from './layout.js';
import { call } from './live.js';
import { chipOf, el, near, part, titled } from './dom.js';
/** @import { Entry, Frame } from '../view.d.ts' */

class Replay {
  /** @type {Frame[]} */
  frames = [];
  at = 0;
  timer = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.layout = new Layout(part(root, 'stage'));
    /** @type {HTMLInputElement} */
    this.slider = part(root, 'slider');
    this.narrow = matchMedia('(max-width: 720px)');
    this.slider.addEventListener('input', () => {
      this.play(false);
      this.show(Number(this.slider.value));
    });
    root.addEventListener('click', (event) => this.act(near(event, '[data-act]')?.dataset.act));
    this.load();
  }

  async load() {
    /** @type {{ frames: Frame[] }} */
    const round = await call('GET', `/rounds/${this.root.dataset.table}/${this.root.dataset.round}`);
    this.frames = round.frames;
    this.slider.max = String(this.frames.length - 1);
    part(this.root, 'story').replaceChildren(...this.frames.map((frame, index) => el('li', {},
      el('button', { class: 'tw-link', type: 'button', onclick: () => { this.play(false); this.show(index); } }, titled(frame.says)), chipOf(frame.cite, (cite) => this.why(cite)))));
    this.show(0);
  }

  /** @param {string} [name] */
  act(name) {
    if (name === 'back') this.show(this.at - 1);
    if (name === 'on') this.show(this.at + 1);
    if (name === 'play') this.play(!this.timer);
    else if (name) this.play(false);
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
    [...story.children].forEach((line, index) => line.toggleAttribute('data-now', index === at));
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
    this.layout.render(frame.view, true);
    if (this.narrow.matches) this.layout.focus(frame.view.boxes.filter((box) => box.hands.length).map((box) => box.box));
    part(this.root, 'say').replaceChildren(`${at + 1} of ${this.frames.length}: ${titled(frame.says)} `, chipOf(frame.cite, (cite) => this.why(cite)));
    this.mark(at);
  }

  /** @param {string} cite */
  async why(cite) {
    const { rulebook } = this.root.dataset;
    /** @type {Entry} */
    const entry = await call('GET', `/law/cite?rulebook=${rulebook}&cite=${encodeURIComponent(cite)}`).catch(() => ({ cite, says: '' }));
    part(this.root, 'why').replaceChildren(el('b', {}, entry.cite), el('span', {}, entry.says));
  }
}

const page = /** @type {HTMLElement | null} */ (document.querySelector('[data-page=round]'));
if (page) new Replay(page);
