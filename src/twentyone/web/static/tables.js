/* One click sits down; a guest's name is asked for once and remembered by the browser. */
import { call } from './live.js';
import { guestName, toast } from './dom.js';
import { ready } from './ready.js';

ready('[data-part=guest]', (field) => {
  field.value = guestName();
  field.addEventListener('input', () => guestName(field.value));
});

/** The form for a new table: the choices of its rulebook, and a free name. */
ready('[data-act=open-table]', (form) => {
  const { name, rulebook } = form.elements;
  const taken = name.dataset.taken.split(' ');
  const show = () => {
    form.querySelectorAll('[data-book]').forEach((book) => { book.hidden = book.disabled = book.dataset.book !== rulebook.value; });
    let number = 2;
    while (taken.includes(`${rulebook.value}-${number}`)) number += 1;
    if (!name.dataset.own) name.value = `${rulebook.value}-${number}`;
  };
  name.addEventListener('input', () => { name.dataset.own = 'true'; });
  rulebook.addEventListener('change', show);
  show();
});

const refused = (wrong) => toast(wrong.why || wrong.message, wrong.cite, () => location.assign(`/law?q=${encodeURIComponent(wrong.cite.replace(/^.*§ /, ''))}`));

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-act=close-table]');
  if (!button) return;
  try {
    await call('POST', `/tables/${button.dataset.table}/commands`, { do: 'close_table', args: {}, key: crypto.randomUUID?.() || String(Math.random()) });
    location.reload();
  } catch (wrong) {
    refused(wrong);
  }
});

document.addEventListener('click', async (event) => {
  const link = event.target.closest?.('[data-act=sit]');
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  try {
    await call('POST', `/tables/${link.dataset.table}/sit`, { name: guestName() || 'Guest' });
    location.assign(link.href);
  } catch (wrong) {
    refused(wrong);
  }
});
