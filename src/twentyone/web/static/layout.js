/* The layout with the cards and chips on it: a pure drawing of one view. Whatever is new since the last view is animated. */
import { stack } from './cards.js';
import { Chips } from './chips.js';
import { showEquipment } from './equipment.js';
import { CARD, around, arrange, meet, turned } from './geometry.js';
import { Hands } from './hands.js';
import { Motion, place } from './motion.js';
/** @import { Box, View } from '../view.d.ts' */
/** @import { Block, Demand, Point, Rect, Slot } from './geometry.js' */
/** @import { Drawn } from './chips.js' */
/** A box with the hands that are shown there: those of its round, or, faint, those of the last one. @typedef {{ box: Box, drawn: Drawn, faint: boolean, extra: boolean }} Shown */

const DEALER = 720;
const RACK = { x: 352, y: 72 };
const NAME = 16;
const FRONT = { left: 424, top: 30, right: 1016, bottom: 206 };
/** How much of the table a narrow screen shows, and the most to which it is made smaller. */
const [NARROW, WIDEST] = [640, 760];
const SEEN = { whole: '0 0 1440 860', fitted: '36 16 1368 772', narrow: '0 22 1440 752' };
const WHEEL = { x: DEALER, top: 196, most: 380, least: 120 };
const INSCRIPTIONS = ':scope > text.title, :scope > g.operator, :scope > g.odds, :scope > text.group, :scope > path.line, :scope > g.inscription';

/** @param {SVGElement} root @param {string} selector @returns {SVGGElement[]} */
const groups = (root, selector) => [...root.querySelectorAll(selector)].map((found) => /** @type {SVGGElement} */ (found));

export class Layout {
  /** Where cards lie. @type {Rect[]} */
  covered = [];
  /** Where badges, chips and the pointer lie. @type {Rect[]} */
  marked = [];
  /** How the hands were arranged last. @type {{ wanted: string, blocks: Block[] }} */
  arranged = { wanted: '', blocks: [] };
  /** Inscriptions and where they are; found when something first lies on the layout. @type {{ lines: SVGGElement[], at: Rect[] }[] | null} */
  blocks = null;
  /** The part of the drawing that is shown, as the players see it. */
  seen = SEEN.whole;
  /** The boxes that a narrow screen shows. */
  focused = '';
  /** The middle of what it shows, how much of the table that is, and how wide the drawing was then. */
  middle = DEALER;
  wide = NARROW;
  panned = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    const drawn = root.querySelector('svg');
    if (!drawn) throw new Error('the page has no layout');
    this.root = root;
    this.svg = drawn;
    this.motion = new Motion();
    this.calm = this.motion.calm;
    this.svg.append(this.motion.layer);
    this.drawnBoxes = new Map(groups(this.svg, 'g.box').map((g) => [Number(g.dataset.box), geometry(g)]));
    this.chips = new Chips(this.motion, this.drawnBoxes, this.svg.querySelector('g.area[data-wager=insurance] path.band'));
    this.hands = new Hands(this.motion, new Map(groups(this.svg, 'g.dealer-area').map((g) => [g.dataset.range || '', g])));
    this.equipment = groups(this.svg, ':scope > g.equipment').map((group) => this.#device(group));
  }

  /** Inscriptions in blocks: a heading with its rows, the name of the game with its lines, a single row, or an arc. */
  #blocks() {
    /** @type {{ named: boolean, lines: SVGGElement[], at: Rect[] }[]} */
    const blocks = [];
    let before = '';
    for (const element of groups(this.svg, INSCRIPTIONS)) {
      const kind = element.matches('.line, .title, .operator') ? 'name' : element.matches('.group') ? 'heading' : element.matches('.inscription') ? 'arc' : 'row';
      const goes = kind === 'row' ? blocks.at(-1)?.named : kind === before && kind !== 'arc';
      if (!goes) blocks.push({ named: kind === 'heading', lines: [], at: [] });
      blocks.at(-1)?.lines.push(element);
      blocks.at(-1)?.at.push(...(kind === 'arc' ? alongArc(element) : [rectOf(element.getBBox())]));
      before = kind;
    }
    return blocks;
  }

  /** Where a device is, with what is written under it. @param {SVGGElement} group @returns {Rect} */
  #device(group) {
    const { x, y } = place(group);
    const box = group.getBBox();
    const wide = Math.max(box.width, group.querySelector('.cards') ? 132 : 0);
    return around({ x: x + box.x + box.width / 2, y: y + box.y + box.height / 2 }, wide + 4, box.height + 4);
  }

  /** Draw a view; with `animate`, new cards move in from the shoe. @param {View} view */
  render(view, animate = true) {
    this.motion.begin(animate);
    this.#dealer(view);
    const shown = view.boxes.flatMap((box) => this.#shown(view, box));
    const dealt = shown.filter(({ box }) => box.hands.some((hand) => hand.cards.length || hand.results.length));
    const blocks = this.#arranged(dealt.map((each) => this.#demand(view, each)));
    dealt.forEach((each, index) => this.#hands(view, each, blocks[index].slots));
    for (const each of shown) this.#chips(each, blocks[dealt.indexOf(each)]?.slots);
    this.motion.end((key, element) => this.#whither(key, element, view));
    const lying = [...this.motion.known];
    this.covered = lying.filter(([key]) => key.startsWith('card')).map(([key, element]) => this.#cardAt(key, element));
    this.marked = lying.filter(([key]) => /^(turn|total|chip|nth)/.test(key)).map(([key, element]) => around(place(element), key.startsWith('total') ? 96 : 40, key.startsWith('total') ? 60 : 40));
    showEquipment(this.svg, view);
    this.#turnOf(view, new Map(shown.map(({ box }) => [box.box, box])));
    this.#uncover();
  }

  /** Where hands lie; it is found anew only if they are others. @param {Demand[]} demands */
  #arranged(demands) {
    const wanted = JSON.stringify(demands);
    if (wanted !== this.arranged.wanted) this.arranged = { wanted, blocks: arrange(demands) };
    return this.arranged.blocks;
  }

  /** @param {View} view */
  #dealer(view) {
    const faint = !view.dealer.cards.length && Boolean(view.last);
    this.hands.dealer(faint && view.last ? view.last.dealer : view.dealer, faint);
  }

  /** What is shown at a box: until the next wager lies there, your last hands stay faint. @param {View} view @param {Box} box @returns {Shown[]} */
  #shown(view, box) {
    const drawn = this.drawnBoxes.get(box.box);
    if (!drawn) return [];
    const extra = Boolean(view.exposed) && view.offer?.box === box.box;
    const last = view.last?.boxes.find((row) => row.box === box.box);
    const lies = box.placed.length > 0 || box.hands.some((hand) => hand.cards.length > 0 || !hand.results.length);
    if (!last || lies) return [{ box, drawn, faint: false, extra }];
    return [{ box: { ...box, ...last, sides: [], coupons: [] }, drawn, faint: true, extra: false }];
  }

  /** What the hands of a box need, and what they must not cover. @param {View} view @param {Shown} shown @returns {Demand} */
  #demand(view, { box, drawn, extra }) {
    const hands = [...box.hands.map((hand) => ({ count: hand.cards.length, sideways: hand.sideways.length })), ...(extra ? [{ count: 1, sideways: 0 }] : [])];
    const insured = view.boxes.flatMap((row) => [...row.sides, ...row.results].filter((side) => side.wager === 'insurance').map(() => around(this.chips.area(row.box, 'insurance'), 72, 56)));
    const others = [...this.drawnBoxes].flatMap(([number, other]) => {
      const own = number === box.box;
      const sides = [...other.sides].filter(([wager]) => wager !== 'main').map(([, at]) => around(at, 72, 60));
      return [...(own ? [] : [around(other, 100)]), ...(own && hands.length < 2 ? [] : sides), ...(own ? [] : [numberOf(other)])];
    });
    return { x: drawn.x, y: drawn.y, hands, walls: [FRONT, ...this.equipment, ...insured, ...others] };
  }

  /** @param {View} view @param {Shown} shown @param {Slot[]} slots */
  #hands(view, { box, faint, extra }, slots) {
    const turn = view.offer?.box === box.box && !faint;
    box.hands.forEach((_, index) => this.hands.hand(box, index, slots[index], { asked: turn && (view.offer?.hand || 1) === index + 1, faint }));
    if (extra && view.exposed) this.hands.exposed(view.exposed, box.box, slots[box.hands.length], view.offer?.kind === 'exposed_card' ? 'take it?' : 'next card');
  }

  /** @param {Shown} shown @param {Slot[]} [slots] */
  #chips({ box, drawn, faint }, slots) {
    if (faint) {
      this.chips.results(box.box, box.results, [], true);
      return;
    }
    box.hands.forEach((hand, index) => this.chips.hand(box, hand, index, slots?.[index].chips));
    if (!box.hands.length) this.chips.placed(box, drawn);
    this.chips.sides(box);
  }

  /** Where something goes that lies there no more: cards to the discard rack, lost chips to the tray. @param {string} key @param {SVGGElement} element @param {View} view @returns {Point | null} */
  #whither(key, element, view) {
    if (key.startsWith('chip')) return this.chips.whither(element, place(element), view);
    return key.startsWith('card') && !this.hands.isTurned(key, view.dealer) ? RACK : null;
  }

  /** @param {string} key @param {SVGGElement} element @returns {Rect} */
  #cardAt(key, element) {
    const { x, y } = place(element);
    const scale = Number(element.getAttribute('transform')?.match(/scale\(([\d.]+)\)/)?.[1] || 1);
    const [width, height] = key.endsWith('sideways') ? [CARD.height, CARD.width] : [CARD.width, CARD.height];
    return { left: x, top: y, right: x + width * scale, bottom: y + height * scale };
  }

  /** Draw chips that are chosen but not laid yet. @param {{ box: number, wager: string, amount: number }[]} rows */
  draft(rows) {
    this.motion.layer.querySelectorAll('.tw-draft').forEach((element) => element.remove());
    this.svg.querySelectorAll('g.area.drafted').forEach((area) => area.classList.remove('drafted'));
    for (const { box, wager, amount } of rows) {
      const drawn = this.drawnBoxes.get(box);
      if (!drawn) continue;
      const { x, y } = wager === 'main' ? drawn : this.chips.area(box, wager);
      const ghost = stack(amount, 'not laid yet');
      ghost.classList.add('tw-draft');
      ghost.setAttribute('transform', `translate(${x} ${y})`);
      this.motion.layer.append(ghost);
      drawn.group.querySelector(`g.area[data-wager=${wager}]`)?.classList.add('drafted');
    }
  }

  /** The largest room in the middle of the layout where no card lies: for a wheel. @returns {Rect} */
  room() {
    for (let size = WHEEL.most; size > WHEEL.least; size -= 20) {
      const wanted = around({ x: WHEEL.x, y: WHEEL.top + size / 2 }, size);
      if (!this.covered.some((at) => meet(at, wanted))) return wanted;
    }
    return around({ x: WHEEL.x, y: WHEEL.top + WHEEL.least / 2 }, WHEEL.least);
  }

  /** The players at a box; in a replay, those with wagers on it. @param {Box} box */
  #names(box) {
    const laid = [...box.placed, ...box.hands.flatMap((hand) => hand.wagers)].map((row) => row.player);
    return box.players.length ? box.players : [...new Set(laid)];
  }

  /** Whether chips or results lie on an area. @param {Box} box @param {string} [wager] */
  #lies(box, wager) {
    return [...box.placed, ...box.sides, ...box.results].some((row) => row.wager === wager) || (wager === 'main' && box.hands.length > 0);
  }

  /** Mark whose turn it is and which boxes are yours, and write the names of the players. @param {View} view @param {Map<number, Box>} shown */
  #turnOf(view, shown) {
    const turn = view.offer && view.offer.box;
    const free = view.you.role === 'player' && !view.you.boxes.length && ['open', 'idle'].includes(view.phase);
    for (const box of view.boxes) {
      const drawn = this.drawnBoxes.get(box.box);
      if (!drawn) continue;
      drawn.group.classList.toggle('turn', box.box === turn);
      drawn.group.classList.toggle('mine', view.you.boxes.includes(box.box));
      for (const area of groups(drawn.group, 'g.area')) area.classList.toggle('laid', this.#lies(shown.get(box.box) || box, area.dataset.wager));
      const who = this.#names(box).join(', ') || (free ? 'sit down' : '');
      const name = who.length > NAME ? `${who.slice(0, NAME - 1)}…` : who;
      drawn.group.querySelector('.number')?.replaceChildren(name ? `${box.box} · ${name}` : String(box.box));
    }
  }

  /** Hide inscriptions under cards, badges and chips; a heading is hidden with its rows. */
  #uncover() {
    if (!this.blocks && !this.covered.length && !this.marked.length) return;
    this.blocks ||= this.#blocks();
    for (const { lines, at } of this.blocks) {
      const hidden = at.some((each) => [...this.covered, ...this.marked].some((over) => meet(over, each)));
      for (const element of lines) element.classList.toggle('covered', hidden);
    }
  }

  /** Scroll to these boxes and the dealer's cards, once, and again whenever something is `asked`: a narrow screen shows a part of the table, the rest is within a stroke. @param {number[]} boxes @param {boolean} [turned] @param {string} [asked] */
  focus(boxes, turned = false, asked = '') {
    this.#see(SEEN.narrow);
    this.root.tabIndex = 0;
    const lit = this.svg.querySelector('g.dealer-area.lit');
    const dealer = lit ? place(lit).x : DEALER;
    const wanted = `${dealer} ${boxes} ${turned} ${asked}`;
    if (wanted === this.focused) return;
    this.focused = wanted;
    const xs = boxes.flatMap((box) => this.drawnBoxes.get(box)?.x ?? []);
    const [low, high] = [Math.min(dealer - 100, ...xs.map((x) => x - 90)), Math.max(dealer + 100, ...xs.map((x) => x + 90))];
    const far = high - low > WIDEST && xs.length > 0;
    const middle = far ? (Math.min(...xs) + Math.max(...xs)) / 2 : (low + high) / 2;
    this.middle = turned ? 1440 - middle : middle;
    if (asked) this.#reveal();
    this.wide = far ? NARROW : high - low;
    this.panned = 0;
    this.pan();
  }

  /** Show a part of the drawing. @param {string} part */
  #see(part) {
    this.seen = part;
    this.svg.setAttribute('viewBox', part);
  }

  /** Scroll the page so that the layout shows, above the buttons. */
  #reveal() {
    const bar = this.root.parentElement?.querySelector('.tw-controls');
    const sticks = bar && getComputedStyle(bar).position === 'sticky';
    this.root.style.scrollMarginBottom = `${sticks ? bar.getBoundingClientRect().height : 0}px`;
    this.root.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }

  /** Scroll to what is looked at, once for each width of the drawing, which is made smaller where it has no room for both. */
  pan() {
    this.root.tabIndex = 0;
    const room = this.root.clientWidth;
    this.svg.style.removeProperty('width');
    this.svg.style.removeProperty('height');
    if (this.svg.getBoundingClientRect().width * this.wide > 1440 * room) {
      this.svg.style.width = `${(1440 * room) / this.wide}px`;
      this.svg.style.height = 'auto';
    }
    const { width } = this.svg.getBoundingClientRect();
    if (width === this.panned) return;
    this.panned = width;
    this.root.scrollTo({ left: this.middle * width / 1440 - this.root.clientWidth / 2, behavior: this.calm.matches ? 'instant' : 'smooth' });
  }

  /** Draw all of the table, wherever a narrow screen is scrolled to. */
  all() {
    this.#see(SEEN.whole);
  }

  /** Draw the table without what is around it. */
  fit() {
    this.whole();
    this.#see(SEEN.fitted);
    this.svg.setAttribute('preserveAspectRatio', 'xMidYMin');
  }

  whole() {
    this.all();
    this.svg.style.removeProperty('width');
    this.svg.style.removeProperty('height');
    this.root.removeAttribute('tabindex');
    this.focused = '';
  }
}

/** @param {DOMRect | SVGRect} box @returns {Rect} */
const rectOf = ({ x, y, width, height }) => ({ left: x - 4, top: y - 4, right: x + width + 4, bottom: y + height + 4 });

/** Points along the words of an arc. @param {SVGGElement} group @returns {Rect[]} */
function alongArc(group) {
  const { x, width } = group.querySelector('text')?.getBBox() || { x: 0, width: 0 };
  return groups(group, 'path').flatMap((found) => {
    const path = /** @type {SVGPathElement} */ (/** @type {unknown} */ (found));
    const length = path.getTotalLength();
    const points = Array.from({ length: 40 }, (_, step) => path.getPointAtLength((length * step) / 39));
    return points.filter((point) => point.x > x && point.x < x + width).map((point) => around({ x: point.x, y: point.y - 10 }, 24));
  });
}

/** A box as it is drawn. @param {SVGGElement} group @returns {Drawn} */
function geometry(group) {
  const lean = Number((group.getAttribute('transform') || '').match(/rotate\(([\d.-]+)\)/)?.[1] || 0);
  const middle = place(group);
  /** @type {Map<string, Point>} */
  const sides = new Map();
  for (const area of groups(group, '[data-wager]')) {
    const at = turned(place(area), lean);
    if (!sides.has(area.dataset.wager || '')) sides.set(area.dataset.wager || '', { x: middle.x + at.x, y: middle.y + at.y });
  }
  return { ...middle, lean, sides, group };
}

/** Where the number of a box is written. @param {Drawn} box @returns {Rect} */
function numberOf({ x, y, lean }) {
  const at = turned({ x: 0, y: 70 }, lean);
  return around({ x: x + at.x, y: y + at.y }, 110, 20 + Math.abs(lean));
}
