/* One click sits down; a guest's name is asked for once and remembered by the browser. */
import { askToClose } from './closing.js';
import { call } from './live.js';
import { guestName, on, refused } from './dom.js';

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
