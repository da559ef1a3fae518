/* The layout with the cards and chips on it: a pure drawing of one view. Whatever is new since the last view is animated. */
import { CARD, badge, card, chip, pointer, sidewaysCard, svg, ticket } from './cards.js';
/** @import { Box, Hand, Result, View } from '../view.d.ts' */
/** @typedef {{ x: number, y: number }} Point */
/** A box as it is drawn: its middle, the areas of its side wagers from there, its group. @typedef {Point & { sides: Map<string, Point>, group: SVGGElement }} Drawn */
/** Draws something under its key, coming from a point or turned over in place. @typedef {(key: string, make: () => SVGGElement, x: number, y: number, from?: Point | 'turned') => void} Put */

const DEALER = { x: 720, y: 62 };
const SHOE = { x: 1177, y: 82 };
const RACK = { x: 252, y: 82 };
const TRAY = { x: 720, y: 20 };
const BESIDE = { x: -70, y: -38 };
const NAME = 16;
const SMALLER = [1, 1, 1, 0.8, 0.66];
const SIDEWAYS = 'sideways';
const ABOVE = 24;
const NARROW = { width: 690, top: 22, height: 752 };
const INSCRIPTIONS = ':scope > text.title, :scope > g.operator, :scope > g.odds, :scope > text.group, :scope > path.line';

/** Where a group is moved to. @param {Element} element @returns {Point} */
const place = (element) => {
  const [, x, y] = (element.getAttribute('transform') || '').match(/translate\(([\d.-]+) ([\d.-]+)\)/) || [];
  return { x: Number(x || 0), y: Number(y || 0) };
};

/** @param {SVGElement} root @param {string} selector @returns {SVGGElement[]} */
const groups = (root, selector) => [...root.querySelectorAll(selector)].map((found) => /** @type {SVGGElement} */ (found));

export class Layout {
  /** What lies on the layout, by its key. @type {Map<string, SVGGElement>} */
  known = new Map();
  /** Where cards lie: left, top, width, height. @type {[number, number, number, number][]} */
  covered = [];

  /** @param {HTMLElement} root */
  constructor(root) {
    const drawn = root.querySelector('svg');
    if (!drawn) throw new Error('the page has no layout');
    this.svg = drawn;
    this.layer = svg('g', { class: 'tw-live' });
    this.layer.append(this.#shadow());
    this.blocks = this.#blocks();
    this.svg.append(this.layer);
    this.areas = new Map(groups(this.svg, 'g.dealer-area').map((g) => [g.dataset.range, g]));
    this.drawnBoxes = new Map(groups(this.svg, 'g.box').map((g) => [Number(g.dataset.box), this.#geometry(g)]));
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
  }

  /** Inscriptions in blocks: a heading with its rows, the name of the game with its lines, or a single row. */
  #blocks() {
    /** @type {{ named: boolean, lines: [SVGGElement, DOMRect][] }[]} */
    const blocks = [];
    let before = '';
    for (const element of groups(this.svg, INSCRIPTIONS)) {
      const kind = element.matches('.line, .title, .operator') ? 'name' : element.matches('.group') ? 'heading' : 'row';
      const goes = kind === 'name' ? before === 'name' : kind === 'heading' ? before === 'heading' : blocks.at(-1)?.named;
      if (!goes) blocks.push({ named: kind === 'heading', lines: [] });
      blocks.at(-1)?.lines.push([element, element.getBBox()]);
      before = kind;
    }
    return blocks;
  }

  #shadow() {
    const filter = svg('filter', { id: 'tw-shadow', x: '-30%', y: '-30%', width: '160%', height: '160%' });
    filter.append(svg('feDropShadow', { dx: 0, dy: 2, stdDeviation: 2.5, 'flood-opacity': 0.45 }));
    const defs = svg('defs');
    defs.append(filter);
    return defs;
  }

  /** @param {SVGGElement} group @returns {Drawn} */
  #geometry(group) {
    const [, lean] = (group.getAttribute('transform') || '').match(/rotate\(([\d.-]+)\)/) || [];
    /** @type {Map<string, Point>} */
    const sides = new Map();
    for (const area of groups(group, '[data-wager]')) {
      const wager = area.dataset.wager || '';
      if (!sides.has(wager)) sides.set(wager, this.#turn(place(area), Number(lean || 0)));
    }
    return { ...place(group), sides, group };
  }

  /** @param {Point} point @param {number} degrees */
  #turn({ x, y }, degrees) {
    const a = (degrees * Math.PI) / 180;
    return { x: x * Math.cos(a) - y * Math.sin(a), y: x * Math.sin(a) + y * Math.cos(a) };
  }

  /** Draw a view; with `animate`, new cards move in from the shoe. @param {View} view */
  render(view, animate = true) {
    /** @type {Map<string, SVGGElement>} */
    const seen = new Map();
    const move = animate && !this.calm.matches;
    this.covered = [];
    /** @type {(...given: [...Parameters<Put>, size?: number]) => void} */
    const put = (key, make, x, y, from = SHOE, size = 1) => {
      let element = this.known.get(key);
      if (!element) {
        element = make();
        if (move) this.#come(element, x, y, from);
      }
      element.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})${size === 1 ? '' : ` scale(${size})`}`);
      seen.set(key, element);
      this.layer.append(element);
      const [width, height] = key.endsWith(SIDEWAYS) ? [CARD.height, CARD.width] : [CARD.width, CARD.height];
      if (key.startsWith('card')) this.covered.push([x, y, width * size, height * size]);
      if (key.startsWith('turn')) this.covered.push([x - 12, y - 16, 24, 16]);
    };
    this.#dealer(view, put);
    for (const box of view.boxes) this.#box(view, box, put);
    for (const [key, element] of this.known) if (!seen.has(key)) this.#away(element, key, move, view);
    this.known = seen;
    this.#devices(view);
    this.#turnOf(view);
    this.#uncover();
  }

  /** Animate a new card or chip; the hole card is turned over in place. @param {SVGGElement} element @param {number} x @param {number} y @param {Point | 'turned'} from */
  #come(element, x, y, from) {
    element.classList.toggle('turning', from === 'turned');
    const turned = from === 'turned' ? [{ scale: '0 1' }, { scale: '1 1' }] : [{ translate: `${from.x - x}px ${from.y - y}px`, opacity: 0.4 }, { translate: '0 0', opacity: 1 }];
    element.animate(turned, { duration: 180, easing: 'ease-out' });
  }

  /** Animate a removal: cards go to the discard rack, lost chips to the dealer's tray, others back to their player. @param {SVGGElement} element @param {string} key @param {boolean} move @param {View} view */
  #away(element, key, move, view) {
    if (!move || !/^(chip|card)/.test(key) || (/(hidden|unknown)$/.test(key) && view.dealer.cards.length > 1)) {
      element.remove();
      return;
    }
    const { x, y } = place(element);
    const [, box, hand] = key.split('-');
    const rows = view.boxes.find((row) => row.box === Number(box))?.hands[Number(hand)]?.results || [];
    const lost = rows.some((row) => Number(row.net) < 0);
    const target = key.startsWith('card') ? RACK : lost ? TRAY : { x, y: y + 110 };
    const gone = element.animate([{ translate: '0 0', opacity: 1 }, { translate: `${target.x - x}px ${target.y - y}px`, opacity: 0 }], { duration: 260, easing: 'ease-in', fill: 'forwards' });
    gone.finished.then(() => element.remove(), () => element.remove());
  }

  /** @param {View} view @param {Put} put */
  #dealer(view, put) {
    const { cards, range, total, soft, showing } = view.dealer;
    const area = range && this.areas.get(range);
    const step = cards.length > 4 ? 34 : cards.length > 2 ? 48 : area ? 66 : 76;
    const middle = area ? place(area).x : 0;
    const at = area ? middle - (CARD.width + step * (cards.length - 1)) / 2 : DEALER.x - 70;
    cards.forEach((code, index) => put(`card-d-${index}-${code}`, () => card(code), at + index * step, DEALER.y - (area ? 18 : 0), ['hidden', 'unknown'].some((back) => this.known.has(`card-d-${index}-${back}`)) ? 'turned' : SHOE));
    const known = total !== null && total !== undefined && cards.length > 1;
    const says = known ? `${soft ? 'soft ' : ''}${total}` : showing || total ? `${showing || total} +` : '';
    if (says && area) put(`total-d-${says}`, () => badge(says), middle, DEALER.y + CARD.height + 30);
    else if (says) put(`total-d-${says}`, () => badge(says), at - 46, DEALER.y + 44);
    for (const [name, group] of this.areas) group.classList.toggle('lit', name === range);
  }

  /** @param {View} view @param {Box} box @param {(...given: [...Parameters<Put>, size?: number]) => void} put */
  #box(view, box, put) {
    const drawn = this.drawnBoxes.get(box.box);
    if (!drawn) return;
    const { hands } = box;
    const size = SMALLER[Math.min(hands.length, 4)];
    const apart = hands.length > 3 ? 74 : hands.length > 2 ? 100 : 132;
    hands.forEach((hand, index) => {
      const x = drawn.x - (index - (hands.length - 1) / 2) * apart;
      /** @type {Put} */
      const within = (key, make, at, y, from) => put(key, make, x + (at - x) * size, drawn.y + (y - drawn.y) * size, from, size);
      this.#hand(view, box, hand, index, x, drawn.y, within);
    });
    if (!hands.length) this.#placed(box, drawn, put);
    this.#sides(box, drawn, put, hands.length > 0);
    this.#coupons(box, drawn, put);
  }

  /** Coupons lie beside the chips of their wager until the cards are picked up. @param {Box} box @param {Drawn} drawn @param {Put} put */
  #coupons(box, drawn, put) {
    box.coupons.forEach((row, index) => {
      const at = row.wager === 'main' ? { x: 0, y: 0 } : drawn.sides.get(row.wager) || BESIDE;
      put(`coupon-${box.box}-${row.number}`, () => ticket(row.amount, `${row.player}: coupon ${row.number}`), drawn.x + at.x - 46 - index * 6, drawn.y + at.y, { x: drawn.x, y: drawn.y + 110 });
    });
  }

  /** @param {View} view @param {Box} box @param {Hand} hand @param {number} index @param {number} x @param {number} y @param {Put} put */
  #hand(view, box, hand, index, x, y, put) {
    const many = box.hands.length > 2;
    const step = hand.cards.length > 4 ? 15 : hand.cards.length > 2 || many ? 18 : 26;
    const upright = hand.cards.length - hand.sideways.length;
    const last = hand.sideways.length ? CARD.height : CARD.width;
    const left = x - (last + step * (Math.min(hand.cards.length, upright + 1) - 1)) / 2;
    const top = y - 62 - CARD.height;
    const asked = view.offer && view.offer.box === box.box && (view.offer.hand || 1) === index + 1;
    hand.cards.forEach((code, number) => {
      const key = `card-${box.box}-${index}-${number}-${code}`;
      if (number < upright) put(key, () => card(code), left + number * step, top);
      else put(`${key}-${SIDEWAYS}`, () => sidewaysCard(code), left + upright * step, top + CARD.height - CARD.width - ABOVE * (hand.cards.length - 1 - number));
    });
    if (asked && hand.cards.length) put(`turn-${box.box}-${index}`, () => pointer(), x, top - 8);
    if (hand.cards.length) {
      const says = hand.blackjack ? 'Blackjack' : hand.bust ? `bust ${hand.total}` : `${hand.soft ? 'soft ' : ''}${hand.total}`;
      const kind = asked ? 'asked' : hand.bust ? 'lost' : '';
      put(`total-${box.box}-${index}-${says}-${kind}`, () => badge(says, kind), x, y - 62);
    }
    this.#wagers(box, hand, index, x, y, put);
    if (hand.results.length) this.#result(hand.results, `${box.box}-${index}`, x, y, put);
  }

  /** The chips of a hand: those of a double next to the first, others on their own area; a lost wager is collected at once. @param {Box} box @param {Hand} hand @param {number} index @param {number} x @param {number} y @param {Put} put */
  #wagers(box, hand, index, x, y, put) {
    const many = hand.wagers.length > 1;
    hand.wagers.forEach((wager, number) => {
      const at = x + (number - (hand.wagers.length - 1) / 2) * 40;
      const result = hand.results.filter((row) => row.player === wager.player);
      if (result.length && result.every((row) => Number(row.net) < 0)) return;
      const laid = Object.entries(wager).filter(([key]) => key !== 'player');
      laid.forEach(([key, amount], layer) => {
        const area = this.drawnBoxes.get(box.box)?.sides.get(key);
        const [left, top] = key !== 'main' && area ? [x + area.x, y + area.y] : [at + (many ? 0 : layer * 34), y + (many ? layer * 26 : 0)];
        put(`chip-${box.box}-${index}-${wager.player}-${key}-${amount}`, () => chip(amount, `${wager.player}: ${key.replaceAll('_', ' ')}`), left, top, { x, y: y + 110 });
      });
      const paid = result.reduce((sum, row) => sum + Math.max(0, Number(row.net)), 0);
      if (paid) put(`chip-${box.box}-${index}-${wager.player}-paid-${paid}`, () => chip(paid, `${wager.player}: paid`), at - (many ? 0 : 34), y - (many ? 30 : 0), TRAY);
    });
  }

  /** @param {Result[]} results @param {string} key @param {number} x @param {number} y @param {Put} put */
  #result(results, key, x, y, put) {
    const net = results.reduce((sum, row) => sum + Number(row.net), 0);
    const words = net > 0 ? `+${dollars(net)}` : net < 0 ? `−${dollars(-net)}` : results[0].outcome;
    put(`result-${key}-${words}`, () => badge(words, net > 0 ? 'won' : net < 0 ? 'lost' : ''), x, y + 36, TRAY);
  }

  /** @param {Box} box @param {Drawn} drawn @param {Put} put */
  #placed(box, drawn, put) {
    /** @type {Map<string, number>} */
    const mains = new Map();
    for (const row of box.placed) if (row.wager === 'main') mains.set(row.player, (mains.get(row.player) || 0) + Number(row.amount));
    [...mains].forEach(([player, amount], index) => put(`chip-${box.box}-p-${player}-${amount}`, () => chip(amount, player), drawn.x + (index - (mains.size - 1) / 2) * 40, drawn.y, { x: drawn.x, y: drawn.y + 110 }));
  }

  /** @param {Box} box @param {Drawn} drawn @param {Put} put @param {boolean} dealt */
  #sides(box, drawn, put, dealt) {
    /** @type {import('../view.d.ts').SideWager[]} */
    const rows = dealt ? box.sides : box.placed.filter((row) => row.wager !== 'main');
    for (const row of rows) {
      const at = drawn.sides.get(row.wager) || BESIDE;
      if (!row.settled) put(`chip-${box.box}-s-${row.wager}-${row.player}-${row.amount}`, () => chip(row.amount, `${row.player}: ${row.wager.replaceAll('_', ' ')}`), drawn.x + at.x, drawn.y + at.y, { x: drawn.x, y: drawn.y + 110 });
    }
    for (const wager of new Set(box.results.map((row) => row.wager))) {
      const at = drawn.sides.get(wager) || BESIDE;
      this.#result(box.results.filter((row) => row.wager === wager), `${box.box}-${wager}`, drawn.x + at.x, drawn.y + at.y - 36, put);
    }
  }

  /** Draw chips that are chosen but not laid yet. @param {{ box: number, wager: string, amount: number }[]} rows */
  draft(rows) {
    this.layer.querySelectorAll('.tw-draft').forEach((element) => element.remove());
    this.svg.querySelectorAll('g.area.drafted').forEach((area) => area.classList.remove('drafted'));
    for (const { box, wager, amount } of rows) {
      const drawn = this.drawnBoxes.get(box);
      const at = wager === 'main' ? { x: 0, y: 0 } : drawn?.sides.get(wager) || BESIDE;
      if (!drawn) continue;
      const ghost = chip(amount, 'not laid yet');
      ghost.classList.add('tw-draft');
      ghost.setAttribute('transform', `translate(${drawn.x + at.x} ${drawn.y + at.y})`);
      this.layer.append(ghost);
      drawn.group.querySelector(`g.area[data-wager=${wager}]`)?.classList.add('drafted');
    }
  }

  /** @param {View} view */
  #devices(view) {
    const labels = groups(this.svg, 'g.equipment .label');
    const find = (/** @type {string} */ word) => labels.find((label) => label.dataset.name === word || label.textContent?.startsWith(word));
    const shoe = find('shoe');
    labels.filter((label) => label === shoe || label === find('discard rack')).forEach((label) => this.#beside(label));
    if (shoe) {
      shoe.dataset.name = 'shoe';
      shoe.textContent = view.shoe ? `shoe · ${view.shoe.left} of ${view.shoe.size}` : 'shoe';
      const cards = shoe.parentElement?.querySelector('.cards');
      if (view.shoe && cards) cards.setAttribute('width', Math.max(2, (72 * view.shoe.left) / view.shoe.size).toFixed(1));
    }
    const rack = find('discard rack');
    if (rack) {
      rack.dataset.name = 'discard rack';
      rack.textContent = `discard rack · ${view.rack}`;
    }
  }

  /** Put a label next to its device, away from the middle: below it lie the cards of the outer boxes. @param {SVGGElement} label */
  #beside(label) {
    const group = label.parentElement;
    const device = group?.querySelector('.device');
    if (!group || !device) return;
    const [width, height] = ['width', 'height'].map((side) => Number(device.getAttribute(side)));
    const right = place(group).x > DEALER.x;
    label.setAttribute('x', String(right ? width + 10 : -10));
    label.setAttribute('y', String(height / 2 + 5));
    label.setAttribute('text-anchor', right ? 'start' : 'end');
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

  /** Mark whose turn it is and which boxes are yours, and write the names of the players. @param {View} view */
  #turnOf(view) {
    const turn = view.offer && view.offer.box;
    const free = view.you.role === 'player' && !view.you.boxes.length && ['open', 'idle'].includes(view.phase);
    for (const box of view.boxes) {
      const drawn = this.drawnBoxes.get(box.box);
      if (!drawn) continue;
      drawn.group.classList.toggle('turn', box.box === turn);
      drawn.group.classList.toggle('mine', view.you.boxes.includes(box.box));
      for (const area of groups(drawn.group, 'g.area')) area.classList.toggle('laid', this.#lies(box, area.dataset.wager));
      const who = this.#names(box).join(', ') || (free ? 'sit down' : '');
      const shown = who.length > NAME ? `${who.slice(0, NAME - 1)}…` : who;
      drawn.group.querySelector('.number')?.replaceChildren(shown ? `${box.box} · ${shown}` : String(box.box));
    }
  }

  /** Hide inscriptions under cards; a heading is hidden with its rows. */
  #uncover() {
    const under = (/** @type {DOMRect} */ { x, y, width, height }) => this.covered.some(([left, top, across, down]) => left < x + width + 4 && left + across > x - 4 && top < y + height + 4 && top + down > y - 4);
    for (const { lines } of this.blocks) {
      const covered = lines.some(([, at]) => under(at));
      for (const [element] of lines) element.classList.toggle('covered', covered);
    }
  }

  /** Show the part of the table with these boxes and the dealer's cards: for a narrow screen. @param {number[]} boxes */
  focus(boxes) {
    const lit = this.svg.querySelector('g.dealer-area.lit');
    const dealer = lit ? place(lit).x : DEALER.x;
    const xs = boxes.flatMap((box) => this.drawnBoxes.get(box)?.x ?? []);
    const [low, high] = [Math.min(dealer - 100, ...xs.map((x) => x - 90)), Math.max(dealer + 100, ...xs.map((x) => x + 90))];
    const width = Math.max(NARROW.width, high - low);
    const left = Math.min(Math.max((low + high - width) / 2, 30), 1410 - width);
    this.svg.setAttribute('viewBox', `${left.toFixed(0)} ${NARROW.top} ${width.toFixed(0)} ${NARROW.height}`);
  }

  whole() {
    this.svg.setAttribute('viewBox', '0 0 1440 860');
  }
}

/** @param {number} value */
const dollars = (value) => `$${Number.isInteger(value) ? value : value.toFixed(2)}`;
