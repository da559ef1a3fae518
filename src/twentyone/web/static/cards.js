/* Cards, chips and badges as SVG, drawn by us. Four suits: four colours and their symbols. */
const NS = 'http://www.w3.org/2000/svg';
export const CARD = { width: 62, height: 88 };
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
    group.append(svg('rect', { width, height, rx: 7, fill: 'var(--card-back)', stroke: '#fff', 'stroke-width': 3 }));
    group.append(svg('rect', { x: 8, y: 8, width: width - 16, height: height - 16, rx: 4, fill: 'none', stroke: '#8fb2d6', 'stroke-dasharray': '3 3' }));
    return group;
  }
  const rank = code.slice(0, -1);
  const [symbol, colour] = SUITS[code.slice(-1)];
  group.append(svg('rect', { width, height, rx: 7, fill: 'var(--card)', stroke: 'var(--card-edge)' }));
  group.append(svg('text', { x: rank === '10' ? 4 : 7, y: 27, class: 'rank', fill: colour }, rank));
  group.append(svg('text', { x: 7, y: 49, class: 'suit', fill: colour }, symbol));
  group.append(svg('text', { x: 41, y: 78, class: 'pip', fill: colour, 'text-anchor': 'middle' }, symbol));
  return group;
}

/** A card laid sideways: as wide as an upright one is high. @param {string} code */
export function sidewaysCard(code) {
  const group = svg('g', { class: 'tw-sideways' });
  const turned = card(code);
  turned.setAttribute('transform', `translate(${CARD.height} 0) rotate(90)`);
  turned.querySelector('title')?.replaceChildren(`${nameOf(code)}, sideways`);
  group.append(turned);
  return group;
}

/** From which amount on a chip has which colour. @type {[least: number, colour: string][]} */
const CHIPS = [[500, '#5b3a8c'], [100, '#1d1f22'], [25, '#18713f'], [5, '#b5303f'], [0, '#2257a8']];

/** A chip with its amount. @param {string | number} amount */
export function chip(amount, label = '') {
  const value = Number(amount);
  const colour = CHIPS.find(([least]) => value >= least)?.[1] || '';
  const group = svg('g', { class: 'tw-stack', filter: 'url(#tw-shadow)' });
  group.append(svg('title', {}, `${label} $${amount}`.trim()));
  group.append(svg('circle', { r: 21, fill: colour, stroke: '#fff', 'stroke-width': 4, 'stroke-dasharray': '8.3 8.2' }));
  group.append(svg('circle', { r: 14.5, fill: '#fff' }));
  const text = value >= 1000 ? `${Math.round(value / 100) / 10}k` : String(Number.isInteger(value) ? value : amount);
  group.append(svg('text', { y: 4.5, 'text-anchor': 'middle', class: 'value' }, text));
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

/** A total or a result. @param {string} text */
export function badge(text, kind = '') {
  const width = Math.max(40, 9.4 * text.length + 20);
  const group = svg('g', { class: `tw-badge ${kind}` });
  group.append(svg('rect', { x: -width / 2, y: -13, width, height: 26, rx: 13 }));
  group.append(svg('text', { y: 5, 'text-anchor': 'middle' }, text));
  return group;
}

/** A pointer to the hand whose player is asked. */
export function pointer() {
  const group = svg('g', { class: 'tw-pointer', 'aria-hidden': 'true' });
  group.append(svg('path', { d: 'M -11 -14 H 11 L 0 0 Z' }));
  return group;
}
