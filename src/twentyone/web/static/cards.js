/* Cards, chips and badges as SVG, drawn by us. Four suits: four colours and their symbols. */
import { CARD } from './geometry.js';

const NS = 'http://www.w3.org/2000/svg';
/** @type {Record<string, [symbol: string, colour: string, name: string]>} */
const SUITS = {
  S: ['♠', 'var(--spades)', 'spades'], H: ['♥', 'var(--hearts)', 'hearts'],
  D: ['♦', 'var(--diamonds)', 'diamonds'], C: ['♣', 'var(--clubs)', 'clubs'],
};
/** @type {Record<string, string>} */
const RANKS = { A: 'ace', J: 'jack', Q: 'queen', K: 'king' };

/**
 * An element of a drawing.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} name
 * @param {Record<string, string | number>} attributes
 */
export function svg(name, attributes = {}, text = '') {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === 'fill') element.style.fill = String(value);
    else element.setAttribute(key, String(value));
  }
  if (text) element.textContent = text;
  return element;
}

/** A card that lies face down: one that is not shown, or one of a real shoe that nobody has seen. @param {string} code */
export const faceDown = (code) => code === 'hidden' || code === 'unknown';

/** A card as a screen reader names it. @param {string} code */
export function nameOf(code) {
  if (faceDown(code)) return code === 'unknown' ? 'an unknown card face down' : 'a card face down';
  const rank = code.slice(0, -1);
  return `${RANKS[rank] || rank} of ${SUITS[code.slice(-1)][2]}`;
}

/** A card. @param {string} code */
export function card(code) {
  const group = svg('g', { class: 'tw-card', filter: 'url(#tw-shadow)' });
  group.append(svg('title', {}, nameOf(code)));
  const { width, height } = CARD;
  if (faceDown(code)) {
    group.append(svg('rect', { class: 'back', width, height, rx: 9 }));
    group.append(svg('rect', { class: 'weave', x: 10, y: 10, width: width - 20, height: height - 20, rx: 5 }));
    return group;
  }
  const rank = code.slice(0, -1);
  const [symbol, colour] = SUITS[code.slice(-1)];
  group.append(svg('rect', { class: 'face', width, height, rx: 9 }));
  group.append(svg('text', { x: rank.length > 1 ? 3 : 5, y: 31, class: 'rank', fill: colour, ...(rank.length > 1 ? { textLength: 33, lengthAdjust: 'spacingAndGlyphs' } : {}) }, rank));
  group.append(svg('text', { x: 6, y: 55, class: 'suit', fill: colour }, symbol));
  group.append(svg('text', { x: 57, y: 110, class: 'pip', fill: colour, 'text-anchor': 'middle' }, symbol));
  return group;
}

/** Turn a card sideways, as players or as the dealer sees it: its rank shows beside the others of its hand. @param {Element} card @param {boolean} [dealers] */
export function lay(card, dealers = false) {
  card.setAttribute('transform', dealers ? `translate(0 ${CARD.width}) rotate(-90)` : `translate(${CARD.height} 0) rotate(90)`);
}

/** A card laid sideways, as wide as an upright one is high; one that is subtracted has its minus on it. @param {string} code */
export function sidewaysCard(code, subtracted = false) {
  const group = svg('g', { class: 'tw-sideways' });
  const turned = card(code);
  lay(turned);
  turned.querySelector('title')?.replaceChildren(`${nameOf(code)}, sideways${subtracted ? ', subtracted' : ''}`);
  group.append(turned);
  if (subtracted) {
    const sign = svg('g', { class: 'minus', transform: 'translate(36 30)' });
    sign.append(svg('circle', { r: 17 }), svg('path', { d: 'M -9 0 H 9' }));
    group.append(sign);
  }
  return group;
}

/** The chips of a house by their value, the largest first. @type {[value: number, colour: string][]} */
const CHIPS = [[500, '#5b3a8c'], [100, '#1d1f22'], [25, '#18713f'], [5, '#b5303f'], [1, '#2257a8'], [0, '#8a7a5a']];
/** How many chips of a stack show their edge. */
const EDGES = 5;

/** The colours of the chips that make up an amount, from the top of the stack down. @param {number} amount */
export function colours(amount) {
  let rest = amount;
  const found = CHIPS.flatMap(([value, colour]) => {
    const count = value ? Math.floor(rest / value) : Math.ceil(rest);
    rest -= value ? count * value : 0;
    return Array.from({ length: count }, () => colour);
  });
  return found.reverse();
}

/** An amount as it is written on chips and badges. @param {number} value */
export const figures = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));

/** A stack of chips with its amount on the uppermost. @param {string | number} amount */
export function stack(amount, label = '') {
  const value = Number(amount);
  const group = svg('g', { class: 'tw-stack', filter: 'url(#tw-shadow)' });
  group.append(svg('title', {}, `${label} $${amount}`.trim()));
  const shown = colours(value).slice(0, EDGES);
  shown.forEach((colour, depth) => group.prepend(svg('circle', { class: 'chip', cy: depth * 4, r: 21.5, fill: colour })));
  const text = value >= 10000 ? `${Math.round(value / 100) / 10}k` : figures(value);
  const needed = 9.8 * text.length - (text.includes('.') ? 4.4 : 0);
  const width = Math.min(50, Math.max(30, needed + 6));
  group.append(svg('rect', { class: 'plate', x: -width / 2, y: -12, width, height: 24, rx: 12 }));
  group.append(svg('text', { y: 5.5, 'text-anchor': 'middle', class: 'value', ...(needed > 44 ? { textLength: 44, lengthAdjust: 'spacingAndGlyphs' } : {}) }, text));
  return group;
}

/** A match-play coupon: a slip of paper with its worth. @param {string} amount */
export function ticket(amount, label = '') {
  const group = svg('g', { class: 'tw-ticket', filter: 'url(#tw-shadow)' });
  group.append(svg('title', {}, `${label} $${amount}`.trim()));
  group.append(svg('rect', { x: -24, y: -14, width: 48, height: 28, rx: 3 }));
  group.append(svg('text', { y: 5, 'text-anchor': 'middle', class: 'value' }, `$${amount}`));
  return group;
}

/** How wide a badge is. @param {string[]} lines */
const wide = (lines) => Math.max(46, 11.4 * Math.max(...lines.map((line) => line.length)) + 16);

/** How much smaller a badge must be to fit into a room. @param {string[]} lines @param {number} room */
export const fitted = (lines, room) => Math.min(1, room / wide(lines));

/** A total, a result, or the one above the other; the middle of its upper edge is its place. @param {string[]} lines */
export function badge(lines, kind = '') {
  const width = wide(lines);
  const group = svg('g', { class: `tw-badge ${kind}`.trim() });
  group.append(svg('rect', { x: -width / 2, y: 0, width, height: 4 + 23 * lines.length, rx: 13 }));
  lines.forEach((line, index) => group.append(svg('text', { y: 19.5 + 22 * index, 'text-anchor': 'middle' }, line)));
  return group;
}

/** A pointer to the hand whose player is asked. */
export function pointer() {
  const group = svg('g', { class: 'tw-pointer', 'aria-hidden': 'true' });
  group.append(svg('path', { d: 'M -11 -14 H 11 L 0 0 Z' }));
  return group;
}
