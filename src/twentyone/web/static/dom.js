/* Functions that build the page: text is always text, never markup. */
import { Trouble } from './live.js';
/** @import { Attributes, Open } from '../view.d.ts' */

/**
 * An element; an attribute that is null or false is left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} name
 * @param {Attributes} attributes
 * @param {...(Node | string | null | undefined)} children
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on') && typeof value === 'function') element.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/**
 * A part of the page by its name.
 * @template {HTMLElement} E
 * @param {ParentNode} root
 * @param {string} name
 * @returns {E}
 */
export function part(root, name) {
  const found = /** @type {E | null} */ (root.querySelector(`[data-part=${name}]`));
  if (!found) throw new Error(`the page has no part ${name}`);
  return found;
}

/**
 * The nearest element around the one to which something happened that matches.
 * @template {Element} [E=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {E | null}
 */
export const near = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);

/**
 * Do something whenever this happens in an element that matches, also in one that comes later.
 * @template {HTMLElement} E
 * @param {string} kind
 * @param {string} selector
 * @param {(found: E, event: Event) => unknown} act
 */
export function on(kind, selector, act) {
  document.addEventListener(kind, (event) => {
    const found = /** @type {E | null} */ (near(event, selector));
    if (found) act(found, event);
  });
}

/** The value of the field to which something happened. @param {Event} event */
export const valueOf = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;

/** Dollars and cents; not by `Intl`, which takes a cold browser longer than the rest of the page. @param {string | number} amount */
export const money = (amount) => {
  const value = Number(amount);
  const cents = String(Math.round(Math.round(Math.abs(value) * 1000) / 10)).padStart(3, '0');
  const shown = `$${cents.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.slice(-2)}`;
  return value < 0 ? `−${shown}` : shown;
};

/** An amount as it stands in a field: whole dollars, or both digits of the cents. @param {string | undefined} amount */
export const written = (amount) => String(Number(amount)).replace(/\.\d$/, (cents) => `${cents}0`);

const SIGNED = /([+−]\$[\d,.]*\d)/;

/** A text in which no line ends between a sign and its amount. @param {string} text */
export const unbroken = (text) => text.split(SIGNED).map((piece) => (SIGNED.test(piece) ? el('span', { class: 'tw-sum' }, piece) : piece));

/** @param {string} name */
export const plain = (name) => name.replaceAll('_', ' ');

/** A name as a button or heading shows it. @param {string} name */
export const titled = (name) => {
  const words = plain(name);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

/** A value in the browser's storage; forgotten by a browser that stores nothing. @param {string} name @param {string} [given] */
export const kept = (name, given) => {
  try {
    if (given !== undefined) localStorage.setItem(name, given.trim());
    return localStorage.getItem(name) || '';
  } catch {
    return given || '';
  }
};

/** The last name that a guest gave. @param {string} [given] */
export const guestName = (given) => kept('twentyone_name', given);

/** @type {Record<string, string>} */
const SYMBOLS = { S: '♠', H: '♥', D: '♦', C: '♣' };

/** Why something is not allowed, for its button: with card symbols, without the box and the decision. @param {string} why */
export const reason = (why) => symbols(why.replace(/^box \d+(, hand \d+)? may not [a-z ]+: /i, ''));

/** Cards in a sentence, with the symbols of their suits. @param {string} text */
export const symbols = (text) => text.replace(/\b(10|[2-9AJQK])([SHDC])\b/g, (_, rank, suit) => `${rank}${SYMBOLS[suit]}`);

/** The short form of a citation for a chip: its last section and what follows. @param {string} cite */
export const short = (cite) => shorter(cite).replace(/^Section /, '§ ');

/** @param {string} cite */
const shorter = (cite) => {
  const match = cite.match(/(§\s*[\w.]+|Ch\.\s*[\w.]+|Section\s*\w+|§\s*\d+)?(\([\w.()]+)?$/);
  return (match && match[0].trim()) || cite;
};

/** A sentence with its paragraph, where there is one. @param {string} why @param {string} [cite] */
export const under = (why, cite) => (cite ? `${why} (${cite})` : why);

/** A chip that opens a paragraph; none for a line without one. @param {string} cite @param {Open} open */
export function chipOf(cite, open) {
  return cite && el('button', { class: 'tw-chip', type: 'button', title: cite, 'aria-label': `paragraph ${cite}`, onclick: () => open(cite) }, short(cite));
}

let toastTimer = 0;

/** A sentence that goes away by itself. @param {string} text @param {string} [cite] @param {Open} [open] */
export function toast(text, cite, open) {
  document.querySelector('.tw-toast')?.remove();
  const box = el('div', { class: 'tw-toast', role: 'alert' }, symbols(titled(text)), ' ', cite && open ? chipOf(cite, open) : null);
  document.body.append(box);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.remove(), 7000);
}

/** What is wrong, as a sentence. @param {unknown} wrong */
export const saying = (wrong) => (wrong instanceof Error ? wrong.message : String(wrong));

/** Say why something was not done, with its paragraph if there is one. @param {unknown} wrong @param {Open} open */
export const refused = (wrong, open) => toast(saying(wrong), wrong instanceof Trouble ? wrong.cite : '', open);

/** A number with its sign. @param {number} value @param {number} digits */
export const signed = (value, digits) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;
