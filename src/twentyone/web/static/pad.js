/* The card pad: every card that the shoe holds as a key, and cards as people type them. */
import { el } from './dom.js';
import { nameOf } from './cards.js';

/** @type {Record<string, string>} */
const SYMBOLS = { S: '♠', H: '♥', D: '♦', C: '♣' };
/** @type {Record<string, number>} */
const MOVES = { ArrowLeft: -1, ArrowRight: 1 };

/** A card as it was typed, in any case: `9h`, `10s`, `td`, `K♥`. @param {string} text */
export const cardOf = (text) => {
  const typed = text.toUpperCase().replaceAll(/\s/g, '').replace(/[♠♥♦♣]/, (symbol) => Object.keys(SYMBOLS).find((suit) => SYMBOLS[suit] === symbol) || '');
  return typed.replace(/^(?:T|0)(?=[SHDC]$)/, '10');
};

/** A card with the symbol of its suit. @param {string} code */
export const shown = (code) => code.slice(0, -1) + SYMBOLS[code.slice(-1)];

/** One Tab reaches the pad, the arrows go on from there. @param {KeyboardEvent} event @param {HTMLButtonElement[]} keys @param {number} across */
function walk(event, keys, across) {
  const from = keys.findIndex((key) => key === event.target);
  const step = MOVES[event.key] || (event.key === 'ArrowUp' ? -across : event.key === 'ArrowDown' ? across : 0);
  const to = keys[from + step];
  if (from < 0 || !step || !to) return;
  event.preventDefault();
  keys.forEach((key) => key.setAttribute('tabindex', key === to ? '0' : '-1'));
  to.focus();
}

/**
 * The pad; `down` puts a key before the cards for one that lies face down.
 * @param {string[]} ranks
 * @param {(card: string) => unknown} pressed
 * @param {(() => unknown) | null} [down]
 */
export function cardPad(ranks, pressed, down = null) {
  const key = (/** @type {string} */ code) => el('button', { class: 'tw-key', type: 'button', 'data-card': code, 'data-suit': code.slice(-1), 'aria-label': nameOf(code), tabindex: '-1', onclick: () => pressed(code) }, shown(code));
  const suits = Object.keys(SYMBOLS).map((suit) => ranks.map((rank) => key(rank + suit)));
  const keys = suits.flat();
  keys[0]?.setAttribute('tabindex', '0');
  const cards = el('div', { class: 'tw-pad', 'data-across': ranks.length, role: 'group', 'aria-label': 'card pad', onkeydown: (event) => walk(event, keys, ranks.length) }, ...suits.map((row) => el('div', { class: 'tw-suit' }, ...row)));
  const hidden = down ? el('button', { class: 'tw-button tw-face-down', type: 'button', 'data-card': 'unknown', onclick: down }, 'Face down') : null;
  return el('div', { class: 'tw-padbox' }, hidden, cards);
}
