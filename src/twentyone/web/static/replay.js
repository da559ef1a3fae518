/* The replay of a round: a slider over its events on the same layout, each with its paragraph. */
import { Layout } from './layout.js';
import { call } from './live.js';
import { chipOf, el, titled } from './dom.js';
import { ready } from './ready.js';

class Replay {
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-part=${name}]`);
    this.layout = new Layout(this.part('stage'));
    this.slider = this.part('slider');
    this.narrow = matchMedia('(max-width: 720px)');
    this.slider.addEventListener('input', () => {
      this.play(false);
      this.show(Number(this.slider.value));
    });
    root.addEventListener('click', (event) => this.act(event.target.closest('[data-act]')?.dataset.act));
    this.load();
  }

  async load() {
    const round = await call('GET', `/rounds/${this.root.dataset.table}/${this.root.dataset.round}`);
    this.frames = round.frames;
    this.slider.max = this.frames.length - 1;
    this.part('story').replaceChildren(...this.frames.map((frame, index) => el('li', {},
      el('button', { class: 'tw-link', type: 'button', onclick: () => { this.play(false); this.show(index); } }, titled(frame.says)), chipOf(frame.cite, (cite) => this.why(cite)))));
    this.show(0);
  }

  act(name) {
    if (name === 'back') this.show(this.at - 1);
    if (name === 'on') this.show(this.at + 1);
    if (name === 'play') this.play(!this.timer);
    else if (name) this.play(false);
  }

  /** Play the events one after the other, until the end or until stopped. */
  play(on) {
    clearInterval(this.timer);
    this.timer = null;
    this.root.querySelector('[data-act=play]').textContent = on ? 'Pause' : 'Play';
    if (!on) return;
    if (this.at >= this.frames.length - 1) this.show(0);
    this.timer = setInterval(() => (this.at >= this.frames.length - 1 ? this.play(false) : this.show(this.at + 1)), 700);
  }

  /** Mark the line of the event in the story: only the story scrolls, not the page. */
  mark(at) {
    const story = this.part('story');
    [...story.children].forEach((line, index) => line.toggleAttribute('data-now', index === at));
    const line = story.children[at];
    if (line) story.scrollTop = line.offsetTop - story.offsetTop - (story.clientHeight - line.offsetHeight) / 2;
  }

  show(at) {
    if (!this.frames?.[at]) return;
    this.at = at;
    this.slider.value = at;
    const frame = this.frames[at];
    this.slider.setAttribute('aria-valuetext', frame.says);
    this.layout.render(frame.view, true);
    if (this.narrow.matches) this.layout.focus(frame.view.boxes.filter((box) => box.hands.length).map((box) => box.box));
    this.part('say').replaceChildren(`${at + 1} of ${this.frames.length}: ${titled(frame.says)} `, chipOf(frame.cite, (cite) => this.why(cite)));
    this.mark(at);
  }

  async why(cite) {
    const rulebook = this.root.dataset.rulebook;
    const entry = await call('GET', `/law/cite?rulebook=${rulebook}&cite=${encodeURIComponent(cite)}`).catch(() => ({ cite, says: '' }));
    this.part('why').replaceChildren(el('b', {}, entry.cite), el('span', {}, entry.says));
  }
}

ready('[data-page=round]', (root) => new Replay(root));
