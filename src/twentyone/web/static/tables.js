/* One click sits down; a guest's name is asked for once and remembered by the browser. What happens at the tables is asked
   for again and again while somebody looks. */
import { call, newKey } from './live.js';
import { guestName, money, on, part, refused } from './dom.js';
import { partOf } from './drawer.js';
/** @import { TableLine } from '../view.d.ts' */

const ASK_EVERY = 2_000;
/** The name of the player who looks. */
const me = document.querySelector('.tw-me a[href="/you"]')?.textContent || '';

/** A table as the server shows it to whoever looks, in place of what is shown. @param {string} table @param {HTMLElement | null} old */
async function showAgain(table, old) {
  const card = await partOf('/', `[data-card="${table}"]`).catch(() => null);
  if (!card) return;
  const held = old?.contains(document.activeElement) ? document.activeElement?.textContent : null;
  if (old) old.replaceWith(card);
  else part(document, 'tables').append(card);
  if (held) [...card.querySelectorAll('a, button')].find((each) => each.textContent === held)?.setAttribute('autofocus', '');
  /** @type {HTMLElement | null} */ (card.querySelector('[autofocus]'))?.focus();
}

/** Whether more of a card has changed than its words: who sits there, whether it is open, its house edge. @param {HTMLElement} card @param {TableLine} row */
const isOther = (card, row) => card.classList.contains('mine') !== row.players.includes(me)
  || (card.dataset.phase === 'closed') !== (row.phase === 'closed')
  || (row.house_edge !== null && !part(card, 'edge').dataset.edge);

/** What everybody may know is asked for without the session: a page that only watches must not keep it alive. */
async function refresh() {
  if (document.hidden) return;
  /** @type {TableLine[]} */
  const rows = await fetch('/api/v1/tables', { credentials: 'omit' }).then((answer) => (answer.ok ? answer.json() : [])).catch(() => []);
  for (const row of rows) {
    const card = /** @type {HTMLElement | null} */ (document.querySelector(`[data-card="${row.table}"]`));
    if (!card || isOther(card, row)) await showAgain(row.table, card);
    else {
      part(card, 'says').textContent = row.says;
      part(card, 'free').textContent = `${row.free.length} of ${row.boxes} boxes are free`;
      card.querySelectorAll('[data-meter]').forEach((meter) => { meter.textContent = money(row.meters[/** @type {HTMLElement} */ (meter).dataset.meter || '']); });
    }
  }
}

/** Ask again when the last answer is shown. */
const watch = () => setTimeout(() => refresh().finally(watch), ASK_EVERY);

watch();
document.addEventListener('visibilitychange', refresh);

/** @param {HTMLInputElement} field */
function rememberName(field) {
  field.value = guestName();
  field.addEventListener('input', () => guestName(field.value));
}

/** The form for a new table: the choices of its rulebook, and a free name. @param {HTMLFormElement} form */
function chooseBook(form) {
  const name = /** @type {HTMLInputElement} */ (form.elements.namedItem('name'));
  const rulebook = /** @type {HTMLSelectElement} */ (form.elements.namedItem('rulebook'));
  const taken = (name.dataset.taken || '').split(' ');
  /** @type {NodeListOf<HTMLFieldSetElement>} */
  const books = form.querySelectorAll('[data-book]');
  const show = () => {
    books.forEach((book) => { book.hidden = book.disabled = book.dataset.book !== rulebook.value; });
    let number = 2;
    while (taken.includes(`${rulebook.value}-${number}`)) number += 1;
    if (!name.dataset.own) name.value = `${rulebook.value}-${number}`;
  };
  name.addEventListener('input', () => { name.dataset.own = 'true'; });
  rulebook.addEventListener('change', show);
  show();
}

document.querySelectorAll('[data-part=guest]').forEach((field) => rememberName(/** @type {HTMLInputElement} */ (field)));
document.querySelectorAll('[data-act=open-table]').forEach((form) => chooseBook(/** @type {HTMLFormElement} */ (form)));

/** @param {string} cite */
const open = (cite) => location.assign(`/law?q=${encodeURIComponent(cite.replace(/^.*§ /, ''))}`);

on('click', '[data-act=close-table]', async (button) => {
  try {
    await call('POST', `/tables/${button.dataset.table}/commands`, { do: 'close_table', args: {}, key: newKey() });
    location.reload();
  } catch (wrong) {
    refused(wrong, open);
  }
});

on('click', '[data-act=sit]', async (/** @type {HTMLAnchorElement} */ link, event) => {
  const { ctrlKey, metaKey } = /** @type {MouseEvent} */ (event);
  if (ctrlKey || metaKey) return;
  event.preventDefault();
  try {
    await call('POST', `/tables/${link.dataset.table}/sit`, { name: guestName() || 'Guest' });
    location.assign(link.href);
  } catch (wrong) {
    refused(wrong, open);
  }
});
