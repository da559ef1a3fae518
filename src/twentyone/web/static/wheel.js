/* The prize wheel: drawn from its symbols, each as wide as its weight, turned to the one it stopped at. Letters are as
   small as their sector; one that is too narrow for any has none. */
import { svg } from './cards.js';
/** @import { Layout } from './layout.js' */

const COLOURS = ['#8c2f39', '#22577a', '#386641', '#6a4c93', '#9c6644'];
const MOST = 24; // symbols that can be read on one disc
const [SMALLEST, LARGEST] = [5, 13]; // letters that can be read, and those of a wide sector
const [TURNS, STANDS] = [2600, 3000]; // milliseconds that it turns, and stands where it stopped
const READ_AT = 56; // the radius at which the letters of a sector must still fit into it

/** A symbol, with the angles at which it begins and ends, in turns of the disc. @typedef {{ symbol: string, from: number, to: number }} Sector */
/** How many of the wheel's stops each symbol has. @typedef {Record<string, number>} Weights */

/** The sectors of a wheel. @param {Weights} weights @returns {Sector[]} */
export function sectors(weights) {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  return Object.entries(weights).map(([symbol, weight]) => {
    const from = reached / total;
    reached += weight;
    return { symbol, from, to: reached / total };
  });
}

/** Symbols that differ only in what the others are paid, as one: for a wheel that has too many to be read. @param {Weights} weights */
export function gathered(weights) {
  if (Object.keys(weights).length <= MOST) return weights;
  /** @type {Weights} */
  const own = {};
  for (const [symbol, weight] of Object.entries(weights)) {
    const name = symbol.split('+')[0];
    own[name] = (own[name] || 0) + weight;
  }
  return own;
}

/** @param {number} turn @param {number} radius */
const at = (turn, radius) => [radius * Math.sin(2 * Math.PI * turn), -radius * Math.cos(2 * Math.PI * turn)];

export class Wheel {
  timer = 0;
  /** The wheel as it is drawn now. @type {SVGSVGElement | null} */
  picture = null;

  /** @param {Layout} layout */
  constructor(layout) {
    this.layout = layout;
    this.calm = layout.calm;
  }

  /** @param {Sector} sector @param {number} index */
  #sector({ symbol, from, to }, index) {
    const shown = { fill: COLOURS[index % COLOURS.length], stroke: '#e9d9a6', 'data-symbol': symbol };
    const [[x, y], [u, v]] = [at(from, 100), at(to, 100)];
    const d = `M 0 0 L ${x} ${y} A 100 100 0 ${to - from > 0.5 ? 1 : 0} 1 ${u} ${v} Z`;
    const part = to - from === 1 ? svg('circle', { r: 100, ...shown }) : svg('path', { d, ...shown });
    const size = Math.min(LARGEST, READ_AT * 2 * Math.PI * (to - from));
    if (size < SMALLEST) return [part];
    const words = svg('text', { x: 92, 'text-anchor': 'end', y: size * 0.33, transform: `rotate(${(from + to) * 180 - 90})` }, symbol);
    words.style.fontSize = `${size}px`;
    return [part, words];
  }

  /** @param {Sector[]} parts @param {string} beside @returns {[picture: SVGSVGElement, disc: SVGGElement]} */
  #draw(parts, beside) {
    const { left, top, right, bottom } = this.layout.room();
    const picture = svg('svg', { x: left, y: top, width: right - left, height: bottom - top, viewBox: '-110 -118 220 230', role: 'img', class: 'tw-wheel' });
    const disc = svg('g', { class: 'disc' });
    disc.append(...parts.flatMap((part, index) => this.#sector(part, index)));
    picture.append(disc, svg('circle', { r: 16, fill: '#e7c35a' }), svg('path', { d: 'M -9 -116 H 9 L 0 -96 Z', fill: '#e7c35a' }));
    if (beside) picture.append(svg('text', { class: 'beside', 'text-anchor': 'middle', y: 4 }, beside));
    return [picture, disc];
  }

  /** Turn the wheel until a symbol is under the pointer; done when it stands. @param {Weights} weights @param {string} symbol @param {string} says */
  async spin(weights, symbol, says) {
    const shown = gathered(weights);
    const parts = sectors(shown);
    const one = shown !== weights;
    const stop = parts.find((part) => part.symbol === (one ? symbol.split('+')[0] : symbol)) || parts[0];
    const [picture, disc] = this.#draw(parts, one && symbol.includes('+') ? `+${symbol.split('+')[1]}` : '');
    picture.append(svg('title', {}, says));
    this.picture?.remove();
    this.picture = picture;
    this.layout.svg.append(picture);
    const end = 360 * 4 - ((stop.from + stop.to) / 2) * 360;
    disc.style.rotate = `${end}deg`;
    clearTimeout(this.timer);
    if (!this.calm.matches) await disc.animate([{ rotate: '0deg' }, { rotate: `${end}deg` }], { duration: TURNS, easing: 'cubic-bezier(.12,.6,.15,1)' }).finished.catch(() => null);
    this.timer = setTimeout(() => picture.remove(), STANDS);
  }
}
