/* The table from the dealer's side: everything on the layout goes to the opposite place and stays upright. */
import { lay } from './cards.js';
import { kept } from './dom.js';
/** @import { View } from '../view.d.ts' */

const SEEN = 'twentyone_side';
const WIDTH = 1440;
const HEIGHT = 860;
/** Parts of the drawing that go to the opposite place, each by itself. */
const PARTS = ':scope > g.equipment, :scope > g.dealer-area, :scope > rect.spot, :scope > g.box, g.box > g, g.box > text';
/** What is written in the middle stays together. */
const WRITTEN = ':scope > text, :scope > g.odds, :scope > g.operator, :scope > path.line';
const ARC = /^M ([\d.-]+) ([\d.-]+) A ([\d.-]+) ([\d.-]+) 0 0 ([01]) ([\d.-]+) ([\d.-]+)$/;

/** Where the middle of an element lies in its parent; of a device without its label. @param {SVGGraphicsElement} element */
function middle(element) {
  const device = /** @type {SVGGraphicsElement | null} */ (element.querySelector(':scope > .device'));
  const { x, y, width, height } = (device || element).getBBox();
  const { a, b, c, d, e, f } = element.transform.baseVal.consolidate()?.matrix || new DOMMatrix();
  const [across, down] = [x + width / 2, y + height / 2];
  return { x: a * across + c * down + e, y: b * across + d * down + f };
}

/** A transform that moves what another does by so much more. @param {string} own @param {number} x @param {number} y */
function further(own, x, y) {
  const [found = '', left = 0, top = 0] = own.match(/^translate\(([\d.-]+) ([\d.-]+)\)/) || [];
  return `translate(${(Number(left) + x).toFixed(1)} ${(Number(top) + y).toFixed(1)})${own.slice(found.length)}`;
}

/** An arc to the opposite place, along which text still runs from left to right. @param {string} path */
const opposite = (path) => path.replace(ARC, (_, x, y, across, down, sweep, toX, toY) => `M ${WIDTH - Number(toX)} ${HEIGHT - Number(toY)} A ${across} ${down} 0 0 ${1 - Number(sweep)} ${WIDTH - Number(x)} ${HEIGHT - Number(y)}`);

export class Side {
  /** Attributes of the drawing, as the players see it and as the dealer does. @type {{ element: Element, name: string, players: string | null, dealers: string }[]} */
  #places = [];
  /** What cards and chips were moved to. @type {WeakMap<Element, string>} */
  #moved = new WeakMap();

  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
    this.button = page.part('side');
    this.button.addEventListener('click', () => {
      kept(SEEN, this.turned(page.view) ? 'players' : 'dealer');
      page.show(false);
    });
  }

  /** Whether the table is shown from the dealer's side: to a dealer, unless he chose otherwise. @param {View} view */
  turned(view) {
    return view.you.role === 'dealer' && kept(SEEN) !== 'players';
  }

  /** Before the layout is drawn, which knows the players' side only; answers whether it will be turned. @param {View} view */
  before(view) {
    for (const { element, name, players } of this.#places) {
      if (players === null) element.removeAttribute(name);
      else element.setAttribute(name, players);
    }
    this.#sideways(false);
    return this.turned(view);
  }

  /** After the layout was drawn as the players see it. @param {View} view */
  show(view) {
    const turned = this.turned(view);
    this.button.hidden = view.you.role !== 'dealer';
    this.button.textContent = turned ? 'See it from the players’ side' : 'See it from the dealer’s side';
    this.page.layout.svg.classList.toggle('tw-turned', turned);
    if (!turned) return;
    if (!this.#places.length) this.#turn();
    for (const { element, name, dealers } of this.#places) element.setAttribute(name, dealers);
    this.#labels();
    this.#cards();
    this.#window();
  }

  /** A label beside its device stays away from the middle. */
  #labels() {
    for (const label of this.page.layout.svg.querySelectorAll('g.equipment > .label:not([text-anchor=middle])')) {
      const width = Number(label.parentElement?.querySelector('.device')?.getAttribute('width'));
      label.setAttribute('x', String(width - Number(label.getAttribute('x'))));
      label.setAttribute('text-anchor', label.getAttribute('text-anchor') === 'start' ? 'end' : 'start');
    }
  }

  /** @param {Element} element @param {string} name @param {string} value */
  #set(element, name, value) {
    this.#places.push({ element, name, players: element.getAttribute(name), dealers: value });
  }

  /** The drawing itself; what lies in a box goes to the opposite side of the box. */
  #turn() {
    const drawing = this.page.layout.svg;
    const places = [...drawing.querySelectorAll(PARTS)].map((found) => {
      const element = /** @type {SVGGraphicsElement} */ (found);
      const own = element.getAttribute('transform') || '';
      if (element.matches('g.box')) return { element, to: own.replace(/translate\(([\d.-]+) ([\d.-]+)\)/, (_, x, y) => `translate(${WIDTH - Number(x)} ${HEIGHT - Number(y)})`) };
      const at = middle(element);
      const [across, down] = element.parentElement === /** @type {Element} */ (drawing) ? [WIDTH, HEIGHT] : [0, 0];
      return { element, to: further(own, across - 2 * at.x, down - 2 * at.y) };
    });
    for (const { element, to } of places) this.#set(element, 'transform', to);
    for (const label of drawing.querySelectorAll('g.equipment > .label[text-anchor=middle]')) this.#set(label, 'y', '-7');
    this.#write(/** @type {SVGGraphicsElement[]} */ ([...drawing.querySelectorAll(WRITTEN)]));
    for (const arc of drawing.querySelectorAll('g.inscription > path, :scope > g.area > path')) this.#set(arc, 'd', opposite(arc.getAttribute('d') || ''));
    for (const table of drawing.querySelectorAll(':scope > g.table')) this.#set(table, 'transform', `rotate(180 ${WIDTH / 2} ${HEIGHT / 2})`);
  }

  /** @param {SVGGraphicsElement[]} lines */
  #write(lines) {
    const boxes = lines.map((line) => line.getBBox());
    const [top, bottom] = [Math.min(...boxes.map((box) => box.y)), Math.max(...boxes.map((box) => box.y + box.height))];
    for (const line of lines) this.#set(line, 'transform', `translate(0 ${HEIGHT - top - bottom})`);
    for (const text of this.page.layout.svg.querySelectorAll('g.inscription > text')) {
      const arcs = [...text.querySelectorAll('textPath')].map((path) => path.getAttribute('href') || '');
      text.querySelectorAll('textPath').forEach((path, index) => this.#set(path, 'href', arcs.toReversed()[index]));
    }
  }

  /** The cards that lie sideways, as one side sees them. @param {boolean} dealers */
  #sideways(dealers) {
    for (const card of this.page.layout.motion.layer.querySelectorAll('.tw-sideways > .tw-card')) lay(card, dealers);
  }

  /** Cards and chips; the first card of a hand lies uppermost, and all over those that lie sideways, so that the rank of each shows. */
  #cards() {
    const { layer } = this.page.layout.motion;
    const lying = [...layer.children].filter((element) => element.matches('g'));
    for (const found of lying) {
      const element = /** @type {SVGGraphicsElement} */ (found);
      const own = element.getAttribute('transform') || '';
      if (own === this.#moved.get(element)) continue;
      const at = middle(element);
      const to = further(own, WIDTH - 2 * at.x, HEIGHT - 2 * at.y);
      element.setAttribute('transform', to);
      this.#moved.set(element, to);
    }
    this.#sideways(true);
    const [cards, sideways] = ['.tw-card', '.tw-sideways'].map((kind) => lying.filter((element) => element.matches(kind)));
    layer.prepend(...layer.querySelectorAll(':scope > defs'), ...sideways, ...cards.toReversed());
    this.#uncover([...cards, ...sideways].map((card) => card.getBoundingClientRect()));
  }

  /** What is written where cards lie now is hidden. @param {DOMRect[]} cards */
  #uncover(cards) {
    const lines = [...this.page.layout.svg.querySelectorAll(WRITTEN)];
    const under = lines.some((line) => {
      const { left, right, top, bottom } = line.getBoundingClientRect();
      return cards.some((card) => card.left < right && card.right > left && card.top < bottom && card.bottom > top);
    });
    for (const line of lines) line.classList.toggle('covered', under);
  }

  /** The part that is looked at: with real cards before the dealer, all of it. */
  #window() {
    if (this.page.view.ranks) return this.page.layout.all();
    const [left, top, width, height] = this.page.layout.seen.split(' ').map(Number);
    this.page.layout.svg.setAttribute('viewBox', `${WIDTH - left - width} ${HEIGHT - top - height} ${width} ${height}`);
  }
}
