/* Functions that build the page: text is always text, never markup. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const money = (amount) => {
  const value = Number(amount);
  const shown = Math.abs(value).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  return value < 0 ? `−${shown}` : shown;
};

export const plain = (name) => name.replaceAll('_', ' ');

/** A name as a button or heading shows it. */
export const titled = (name) => {
  const words = plain(name);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

/** A value in the browser's storage; forgotten by a browser that stores nothing. */
export const kept = (name, given) => {
  try {
    if (given !== undefined) localStorage.setItem(name, given.trim());
    return localStorage.getItem(name) || '';
  } catch {
    return given || '';
  }
};

/** The last name that a guest gave. */
export const guestName = (given) => kept('twentyone_name', given);

const SYMBOLS = { S: '♠', H: '♥', D: '♦', C: '♣' };

/** Why something is not allowed, for its button: with card symbols, without the box and the decision. */
export const reason = (why) => symbols(why.replace(/^box \d+(, hand \d+)? may not [a-z ]+: /i, ''));

/** Cards in a sentence, with the symbols of their suits. */
export const symbols = (text) => text.replace(/\b(10|[2-9AJQK])([SHDC])\b/g, (_, rank, suit) => `${rank}${SYMBOLS[suit]}`);

/** The short form of a citation for a chip: its last section and what follows. */
export const short = (cite) => shorter(cite).replace(/^Section /, '§ ');

const shorter = (cite) => {
  const match = cite.match(/(§\s*[\w.]+|Ch\.\s*[\w.]+|Section\s*\w+|§\s*\d+)?(\([\w.()]+)?$/);
  return (match && match[0].trim()) || cite;
};

export function chipOf(cite, open) {
  return el('button', { class: 'tw-chip', type: 'button', title: cite, 'aria-label': `paragraph ${cite}`, onclick: () => open(cite) }, short(cite));
}

let toastTimer;
export function toast(text, cite, open) {
  document.querySelector('.tw-toast')?.remove();
  const box = el('div', { class: 'tw-toast', role: 'alert' }, symbols(titled(text)), ' ', cite ? chipOf(cite, open) : null);
  document.body.append(box);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.remove(), 7000);
}
