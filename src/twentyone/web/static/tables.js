/* One click sits down; a guest's name is asked for once and remembered by the browser. What happens at the tables is asked
   for again and again while somebody looks. */
import { chosen } from './choices.js';
import { askToClose } from './closing.js';
import { Trouble, call } from './live.js';
import { guestName, money, on, part, refused, saying } from './dom.js';
/** @import { TableLine } from '../view.d.ts' */

const ASK_EVERY = 2_000;
/** The name of the player who looks. */
const me = document.querySelector('.tw-me a[href="/you"]')?.textContent || '';

/** Whether somebody fills in a field, whose words a page that loads anew would lose. */
const isBusy = () => document.activeElement?.matches('input, select, textarea') || false;

/** A house edge in per cent. @param {number} edge */
const inPercent = (edge) => `${edge < 0 ? '−' : ''}${(Math.abs(edge) * 100).toFixed(3)}\u00a0%${edge < 0 ? ' (in\u00a0your\u00a0favour)' : ''}`;

/** @param {HTMLElement} card @param {TableLine} row */
function follow(card, row) {
  part(card, 'says').textContent = row.says;
  part(card, 'free').textContent = `${row.free.length} of ${row.boxes} boxes are free`;
  if (row.house_edge !== null) part(card, 'edge').textContent = inPercent(row.house_edge);
  card.querySelectorAll('[data-meter]').forEach((meter) => { meter.textContent = money(row.meters[/** @type {HTMLElement} */ (meter).dataset.meter || '']); });
  card.querySelectorAll('[data-act=sit]').forEach((door) => { /** @type {HTMLElement} */ (door).hidden = !row.can_sit; });
  card.querySelectorAll('[data-act=close-table]').forEach((door) => { /** @type {HTMLElement} */ (door).hidden = row.phase === 'closed'; });
}

/** What everybody may know is asked for without the session: a page that only watches must not keep it alive. */
async function refresh() {
  if (document.hidden) return;
  /** @type {TableLine[]} */
  const rows = await fetch('/api/v1/tables', { credentials: 'omit' }).then((answer) => (answer.ok ? answer.json() : [])).catch(() => []);
  let others = false;
  for (const row of rows) {
    const card = /** @type {HTMLElement | null} */ (document.querySelector(`[data-card="${row.table}"]`));
    if (card) follow(card, row);
    others ||= !card || card.classList.contains('mine') !== row.players.includes(me);
  }
  if (others && !isBusy()) location.reload();
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
  if (await askToClose(button.dataset.table || '')) location.reload();
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

/** The new table that a form describes, and the keys entered as JSON. @param {HTMLFormElement} form */
function submitted(form) {
  const { name, rulebook, cards, submission: written } = Object.fromEntries(new FormData(form));
  const submission = chosen(/** @type {HTMLElement} */ (form.querySelector(`[data-book="${rulebook}"]`)));
  return { name, rulebook, cards, submission: { ...submission, ...JSON.parse(String(written || '{}')) } };
}

on('submit', 'form[data-act=open-table]', async (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  try {
    await call('POST', '/tables', submitted(form));
    location.assign('/');
  } catch (wrong) {
    part(form, 'wrong').textContent = wrong instanceof Trouble && wrong.cite ? `${wrong.message} (${wrong.cite})` : saying(wrong);
  }
});
