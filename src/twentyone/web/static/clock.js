/* Time at the table: rings around the boxes and before the sentence for every clock that runs, the pace of the automatic
   staff, and whether the house cuts. With reduced motion a ring moves in steps. */
import { svg } from './cards.js';
import { kept, part, refused } from './dom.js';
import { call } from './live.js';
/** @import { Clock, View } from '../view.d.ts' */
/** A clock that runs, and when it ends here. @typedef {Clock & { ends: number }} Running */

const AROUND = 59;
const SMALL = 15;
/** Seconds before a box is lost at which its player is told. */
const WARNED = 60;
const CUTS = 'twentyone_cuts';

/** @type {Record<string, [own: string, other: string]>} */
const WORDS = {
  decision: ['for your decision', 'for a decision'],
  cut: ['for your cut', 'for the cut'],
  look: ['to look at the cards', 'to look at the cards'],
  wagers: ['until the cards are dealt', 'until the cards are dealt'],
  absence: ['until your box is free again', ''],
};

/** @param {number} radius */
const ring = (radius) => svg('circle', { class: 'tw-ring', r: radius, pathLength: 1, 'stroke-dasharray': 1, transform: 'rotate(-90)' });

/** @param {Running} clock */
const left = ({ ends }) => Math.max(0, (ends - performance.now()) / 1000);

export class Clocks {
  /** @type {Running[]} */
  running = [];
  /** The rings that are drawn, by what they are for. @type {Map<string, SVGCircleElement>} */
  rings = new Map();
  #declined = 0;

  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
    this.calm = page.layout.calm;
    this.root = page.part('clock');
    this.small = ring(SMALL);
    this.seconds = part(this.root, 'seconds');
    this.root.querySelector('svg')?.append(this.small);
    /** @type {HTMLSelectElement} */
    this.paces = part(page.root, 'pace');
    this.paces.addEventListener('change', () => this.#set(this.paces.value));
    /** @type {HTMLInputElement} */
    this.house = part(page.root, 'housecut');
    this.house.checked = kept(CUTS) !== 'asked';
    this.house.addEventListener('change', () => { kept(CUTS, this.house.checked ? 'house' : 'asked'); this.show(page.view); page.bar.show(); });
    setInterval(() => this.#tick(), 500);
  }

  /** @param {View} view */
  show(view) {
    const now = performance.now();
    this.running = (view.clocks || []).map((clock) => ({ ...clock, ends: now + 1000 * clock.left }));
    this.#draw();
    this.#choose(view);
    if (view.cut?.offered === view.you.name && this.cutsForMe(view) && this.#declined !== view.version) {
      this.#declined = view.version;
      this.page.live.command('decline_cut', {}).catch(() => null);
    }
  }

  /** Whether the house cuts for this player: he does not want to be asked, and nobody else deals than the automatic staff. @param {View} view */
  cutsForMe(view) {
    return this.house.checked && view.pace !== 'by hand';
  }

  /** The pace, for who may set it; and the cut, for who plays. @param {View} view */
  #choose({ pace = '', paces = [], you }) {
    this.paces.disabled = !paces.length;
    for (const option of this.paces.options) option.hidden = !paces.includes(option.value);
    this.paces.value = pace;
    if (this.paces.parentElement) this.paces.parentElement.hidden = !paces.length;
    if (this.house.parentElement) this.house.parentElement.hidden = !you.boxes.length || pace === 'by hand';
  }

  /** @param {string} pace */
  async #set(pace) {
    try {
      await call('PUT', `/tables/${this.page.id}/staff`, { pace });
    } catch (wrong) {
      refused(wrong, this.page.open);
      this.#choose(this.page.view);
    }
  }

  /** The clocks that are shown: a box that is lost is told when it is near. */
  #shown() {
    return this.running.filter((clock) => clock.what !== 'absence' || left(clock) < WARNED);
  }

  /** The clock that concerns the person who looks most. */
  #own() {
    const { name } = this.page.view.you;
    const mine = (/** @type {Running} */ clock) => clock.players.includes(name);
    const shown = this.#shown();
    return shown.find((clock) => clock.what !== 'absence' && mine(clock)) || shown.find((clock) => clock.what !== 'absence') || shown.find(mine);
  }

  #draw() {
    /** @type {Map<string, SVGCircleElement>} */
    const drawn = new Map();
    for (const clock of this.#shown()) {
      const key = `${clock.what}-${clock.box}`;
      const box = clock.box && this.page.layout.drawnBoxes.get(clock.box)?.group;
      if (!box) continue;
      const circle = this.rings.get(key) || ring(AROUND);
      if (circle.parentNode !== box) box.append(circle);
      this.#run(circle, clock);
      drawn.set(key, circle);
    }
    for (const [key, circle] of this.rings) if (!drawn.has(key)) circle.remove();
    this.rings = drawn;
    this.#say();
  }

  /** Let a ring become shorter until its clock ends. @param {SVGCircleElement} circle @param {Running} clock */
  #run(circle, clock) {
    for (const running of circle.getAnimations()) running.cancel();
    const gone = 1 - Math.min(1, left(clock) / Math.max(clock.seconds, 0.001));
    circle.setAttribute('stroke-dashoffset', gone.toFixed(3));
    circle.classList.toggle('near', left(clock) < 10 && clock.what !== 'wagers' && clock.what !== 'cut');
    if (!this.calm.matches) circle.animate([{ strokeDashoffset: gone }, { strokeDashoffset: 1 }], { duration: 1000 * left(clock), fill: 'forwards' });
  }

  #say() {
    const own = this.#own();
    const warned = this.page.part('warned');
    warned.hidden = own?.what !== 'absence';
    this.root.hidden = !own;
    if (!own) return;
    const seconds = Math.ceil(left(own));
    const [mine, other] = WORDS[own.what] || ['', ''];
    const words = own.players.includes(this.page.view.you.name) ? mine : other;
    this.seconds.textContent = String(seconds);
    this.root.setAttribute('aria-label', `${seconds} s ${words}`);
    this.root.title = words;
    if (!warned.hidden) warned.textContent = `Your box is free again in ${seconds} s, unless you play.`;
    this.#run(this.small, own);
  }

  #tick() {
    if (!this.running.length || !this.page.begun) return;
    if (this.calm.matches || this.running.some((clock) => clock.what === 'absence')) this.#draw();
    else this.#say();
  }
}
