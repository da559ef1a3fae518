/* Chips on the layout: stacks of their values, each wager on its own area, one beside the other. */
import { badge, figures, fitted, stack, ticket } from './cards.js';
import { money } from './dom.js';
import { around, circle, grid } from './geometry.js';
/** @import { Box, Hand, Result, SideWager, View, Wager } from '../view.d.ts' */
/** @import { Point, Rect } from './geometry.js' */
/** @import { Motion } from './motion.js' */
/** A box as it is drawn: its middle, the areas of its side wagers, its group. @typedef {Point & { lean: number, sides: Map<string, Point>, group: SVGGElement }} Drawn */
/** Something to be laid in a room: under a key, from a point. @typedef {{ key: string, make: () => SVGGElement, from: Point, about?: string }} Piece */

export const TRAY = { x: 720, y: 20 };
const BESIDE = { x: -78, y: -40 };
const AREA = 58;
const WIDEST = 64;

/** @param {string} name */
const plain = (name) => name.replaceAll('_', ' ');

/** Which wager chips belong to: of a hand, or, without one, of the box. @param {number} box @param {number | null} hand @param {string} wager @param {string} player */
const aboutOf = (box, hand, wager, player) => JSON.stringify([box, hand, wager, player]);

/** What a result says, and how it looks. @param {Result[]} results @returns {[words: string, kind: string]} */
export function outcome(results) {
  const net = results.reduce((sum, row) => sum + Number(row.net), 0);
  if (!net) return [results[0].outcome, ''];
  const amount = money(Math.abs(net)).replace(/\.00$/, '');
  return net > 0 ? [`+${amount}`, 'won'] : [`−${amount}`, 'lost'];
}

/** The results of one wager; of all that its player has there, if they are not told apart. @param {Result[]} rows @param {string} wager @param {string} player */
function resultsOf(rows, wager, player) {
  const own = rows.filter((row) => row.player === player);
  const same = own.filter((row) => row.wager === wager);
  return same.length ? same : own;
}

/** @param {Result[]} rows */
const isLost = (rows) => rows.length > 0 && rows.every((row) => Number(row.net) < 0);

export class Chips {
  /** @param {Motion} motion @param {Map<number, Drawn>} boxes @param {SVGPathElement | null} line The insurance line. */
  constructor(motion, boxes, line) {
    this.motion = motion;
    this.boxes = boxes;
    const length = line?.getTotalLength() || 0;
    /** Where insurance lies, by box: on its line. @type {Map<number, Point>} */
    this.line = new Map(line ? [...boxes.keys()].map((box) => [box, line.getPointAtLength(length * (1 - (box - 0.5) / boxes.size))]) : []);
  }

  /** Where a wager beside the main one lies: on its area, on the insurance line in front of its box. @param {number} box @param {string} wager @returns {Point} */
  area(box, wager) {
    const drawn = this.boxes.get(box);
    const side = drawn?.sides.get(wager) || (wager === 'insurance' && this.line.get(box));
    return side || { x: (drawn?.x || 0) + BESIDE.x, y: (drawn?.y || 0) + BESIDE.y };
  }

  /** Lay pieces in a room, none over another. @param {Piece[]} pieces @param {Rect} room */
  #lay(pieces, room) {
    const spots = grid(pieces.length, room);
    pieces.forEach(({ key, make, from, about }, index) => this.motion.put(key, make, { at: spots[index], from, about }));
  }

  /** A stack of somebody. @param {number} box @param {number | null} hand @param {string} wager @param {string} player @param {string | number} amount @param {Point | null} [from] @returns {Piece} */
  #stack(box, hand, wager, player, amount, from = null) {
    const drawn = this.boxes.get(box) || { x: 0, y: 0 };
    const about = aboutOf(box, hand, wager, player);
    const says = wager === 'main' ? player : `${player}: ${plain(wager)}`;
    return { key: `chip ${about} ${amount}`, make: () => stack(amount, says), from: from || { x: drawn.x, y: drawn.y + 110 }, about };
  }

  /** The coupons that lie with a wager. @param {Box} box @param {(wager: string) => boolean} which @returns {Piece[]} */
  #coupons(box, which) {
    const drawn = this.boxes.get(box.box) || { x: 0, y: 0 };
    return box.coupons.filter((row) => which(row.wager)).map((row) => ({ key: `coupon ${box.box} ${row.number}`, make: () => ticket(row.amount, `${row.player}: coupon ${row.number}`), from: { x: drawn.x, y: drawn.y + 110 } }));
  }

  /** The wagers of a box before its cards are dealt. @param {Box} box @param {Drawn} drawn */
  placed(box, drawn) {
    /** @type {Map<string, number>} */
    const mains = new Map();
    for (const row of box.placed) if (row.wager === 'main') mains.set(row.player, (mains.get(row.player) || 0) + Number(row.amount));
    const all = [...[...mains].map(([player, amount]) => this.#stack(box.box, 0, 'main', player, amount)), ...this.#coupons(box, (wager) => wager === 'main')];
    this.#lay(all, circle(drawn, all.length));
  }

  /** The chips of a hand: wagers that are not lost, and what was paid; on the main area, unless they have a room of their own. @param {Box} box @param {Hand} hand @param {number} index @param {Rect | null} [room] */
  hand(box, hand, index, room) {
    /** @type {Piece[]} */
    const pieces = [];
    for (const { player, ...laid } of hand.wagers) {
      for (const [wager, amount] of Object.entries(laid)) {
        const piece = this.#stack(box.box, index, wager, player, figures(Number(amount)));
        const own = this.boxes.get(box.box)?.sides.has(wager);
        if (isLost(resultsOf(hand.results, wager, player))) continue;
        if (own && wager !== 'main') this.#lay([piece], around(this.area(box.box, wager), AREA));
        else pieces.push(piece);
      }
      const paid = hand.results.reduce((sum, row) => sum + (row.player === player ? Math.max(0, Number(row.net)) : 0), 0);
      if (paid) pieces.push(this.#stack(box.box, index, 'paid', player, figures(paid), TRAY));
    }
    const all = [...pieces, ...(index ? [] : this.#coupons(box, (wager) => wager === 'main'))];
    this.#lay(all, room || circle(this.boxes.get(box.box) || TRAY, all.length));
  }

  /** Side wagers on their areas, and what became of them. @param {Box} box */
  sides(box) {
    /** @type {(Wager | SideWager)[]} */
    const rows = box.hands.length ? box.sides.filter((row) => !row.settled) : box.placed.filter((row) => row.wager !== 'main');
    const names = new Set([...rows, ...box.coupons].map((row) => row.wager));
    names.delete('main');
    for (const wager of names) {
      const pieces = rows.filter((row) => row.wager === wager).map((row) => this.#stack(box.box, null, wager, row.player, row.amount));
      this.#lay([...pieces, ...this.#coupons(box, (each) => each === wager)], around(this.area(box.box, wager), AREA, 52));
    }
    this.results(box.box, box.results, rows.map((row) => row.wager), false);
  }

  /** What side wagers won and lost, where they lay: below chips that still lie there. @param {number} box @param {Result[]} results @param {string[]} lying @param {boolean} faint */
  results(box, results, lying, faint) {
    for (const wager of new Set(results.map((row) => row.wager))) {
      const { x, y } = this.area(box, wager);
      const [words, kind] = outcome(results.filter((row) => row.wager === wager));
      this.motion.put(`result ${box} ${wager} ${words}`, () => badge([words], kind), { at: { x, y: y + (lying.includes(wager) ? 15 : -13), scale: fitted([words], WIDEST) }, faint });
    }
  }

  /** Where chips go that are taken away: lost ones to the dealer's tray, others to their player. @param {SVGGElement} element @param {Point} at @param {View} view @returns {Point | null} */
  whither(element, at, view) {
    const about = element.dataset.about || '';
    if ([...this.motion.laid.keys()].some((key) => key.startsWith(`chip ${about} `))) return null;
    /** @type {[number, number | null, string, string]} */
    const [box, hand, wager, player] = JSON.parse(about);
    const found = [...view.boxes, ...(view.last?.boxes || [])].filter((row) => row.box === box).map((row) => (hand === null ? row.results : row.hands[hand]?.results || []));
    const lost = wager !== 'paid' && isLost(resultsOf(found.find((rows) => rows.length) || [], wager, player));
    return lost ? TRAY : { x: at.x, y: at.y + 110 };
  }
}
