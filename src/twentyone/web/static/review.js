/* A reader's own copy of a regulation beside ours. The copy and the signed lines live in this page alone: whoever leaves it
   without saving has neither. */
import { call } from './live.js';
import { el, on, part, saying, toast } from './dom.js';
/** @import { BesideRow, ReviewSaid } from '../view.d.ts' */

const BATCH = 24;
const page = /** @type {HTMLElement} */ (document.querySelector('[data-page=review]'));

/** What this page knows: the book, its paragraphs, what was said of them, the lines of the file. */
const held = {
  rulebook: '',
  /** @type {BesideRow[]} */ rows: [],
  /** @type {ReviewSaid[]} */ said: [],
  /** @type {string[]} */ lines: [],
  saved: true,
};

/** @param {FormDataEntryValue | null} given */
const textOf = (given) => (given instanceof File && given.size ? given.text() : Promise.resolve(''));

/** What everybody said last of a paragraph, each with what changed since. @param {BesideRow} row */
function lastOf(row) {
  /** @type {Map<string, ReviewSaid>} */
  const last = new Map();
  for (const each of held.said) if (each.paragraph === row.paragraph && each.verdict !== 'comment') last.set(`${each.public} ${each.by}`, each);
  return [...last.values()].map((each) => ({ ...each, changed: [...(each.text === row.digest ? [] : ['text']), ...each.changed] }));
}

/** @param {ReviewSaid[]} last */
function stateOf(last) {
  const fresh = last.filter((each) => !each.changed.length).map((each) => each.verdict);
  if (fresh.includes('object')) return 'objected';
  return fresh.includes('approve') ? 'signed' : last.length ? 'stale' : 'none';
}

/** @param {string} title @param {string[]} rows */
const listed = (title, rows) => (rows.length ? el('div', {}, el('h3', {}, title), el('ul', {}, ...rows.map((row) => el('li', {}, row)))) : null);

/** What was said of a paragraph, comments too. @param {BesideRow} row */
function saidOf(row) {
  const last = lastOf(row);
  const comments = held.said.filter((each) => each.paragraph === row.paragraph && each.verdict === 'comment');
  return [...last, ...comments].map((each) => {
    const since = each.verdict !== 'comment' && each.changed.length ? `; changed since: ${each.changed.join(', ')}` : '';
    return `${each.verdict} by ${each.by}, ${new Date(each.at * 1000).toISOString().slice(0, 10)}${each.comment ? `: ${each.comment}` : ''}${since}`;
  });
}

/** @param {BesideRow} row */
function ours(row) {
  const readings = Object.entries(row.readings).map(([name, values]) => `${name}: ${values.join(', ')}`);
  return el('div', {},
    el('h3', {}, 'Ours'),
    el('p', {}, row.words),
    ...row.notes.map((note) => el('p', { class: 'tw-note' }, `${note.kind}: ${note.text}`)),
    row.clause ? el('pre', { tabindex: 0 }, row.clause) : null,
    listed('Carried by', row.elsewhere),
    listed('Implemented by', row.functions),
    listed('Readings', readings),
    row.scripts.length ? el('details', {}, el('summary', {}, `rounds that show it (${row.scripts.length})`), el('ul', {}, ...row.scripts.map((name) => el('li', {}, name)))) : null,
    el('p', {}, el('a', { class: 'tw-link', href: `/rounds?${new URLSearchParams({ paragraph: row.cite })}` }, 'rounds played here that cite it')));
}

/** @param {BesideRow} row */
function judging(row) {
  /** @param {string} verdict @param {string} says */
  const button = (verdict, says) => el('button', { class: 'tw-button', type: 'submit', value: verdict, 'aria-label': `${says} ${row.paragraph}` }, says);
  return el('form', { class: 'tw-row', 'data-review': 'judge', 'data-paragraph': row.paragraph },
    el('input', { class: 'tw-field', name: 'comment', maxlength: 2000, placeholder: 'a comment', 'aria-label': `comment on ${row.paragraph}`, autocomplete: 'off' }),
    button('approve', 'Approve'), button('object', 'Object'), button('comment', 'Comment'));
}

/** @param {BesideRow} row */
function article(row) {
  const state = stateOf(lastOf(row));
  return el('article', { class: 'tw-entry tw-beside', 'data-row': row.paragraph, 'data-state': state },
    el('h2', {}, row.cite, ' ', el('span', {}, row.title), ' ', el('span', { class: 'tw-kind' }, row.kind), ' ', el('span', { class: `tw-state ${state}`, 'data-part': 'stands' }, state === 'none' ? 'not judged' : state)),
    el('div', { class: 'tw-two' }, el('div', {}, el('h3', {}, `Your copy, line ${row.line}`), el('p', {}, row.text)), ours(row)),
    listed('Reviews', saidOf(row)),
    judging(row));
}

/** Show what the paragraphs add up to, and those of the chosen state. */
function sumUp() {
  const states = held.rows.map((row) => stateOf(lastOf(row)));
  /** @param {string} state */
  const count = (state) => states.filter((each) => each === state).length;
  part(page, 'counts').textContent = `${held.rows.length} of ${held.rows.length} paragraphs aligned: ${count('signed')} signed, ${count('stale')} stale, ${count('objected')} objected, ${count('none')} not judged`;
  const wanted = /** @type {HTMLSelectElement} */ (part(page, 'state')).value;
  page.querySelectorAll('[data-row]').forEach((each) => { /** @type {HTMLElement} */ (each).hidden = wanted !== '' && each.getAttribute('data-state') !== wanted; });
  /** @type {HTMLButtonElement | null} */ (page.querySelector('[data-review=save]'))?.toggleAttribute('disabled', !held.lines.length);
}

/** Say of lines what they say, once the server has checked their signatures. @param {string[]} lines */
async function check(lines) {
  /** @type {ReviewSaid[]} */
  const said = [];
  for (let at = 0; at < lines.length; at += BATCH) said.push(...await call('POST', `/review/${held.rulebook}/check`, { lines: lines.slice(at, at + BATCH) }));
  return said;
}

/** @param {HTMLFormElement} form */
async function align(form) {
  const given = new FormData(form);
  held.rulebook = String(given.get('rulebook'));
  const text = await textOf(given.get('file')) || String(given.get('text'));
  /** @type {{ paragraphs: BesideRow[], unknown: string[] }} */
  const found = await call('POST', `/review/${held.rulebook}`, { text });
  const lines = (await textOf(given.get('reviews'))).split('\n').filter((line) => line.trim());
  const added = lines.length ? lines : held.lines;
  Object.assign(held, { rows: found.paragraphs, said: await check(added), lines: added });
  const unknown = part(page, 'unknown');
  unknown.hidden = !found.unknown.length;
  unknown.textContent = `Read as part of the paragraph before, because no paragraph of ours has this mark: ${found.unknown.join('; ')}.`;
  part(page, 'paragraphs').replaceChildren(...held.rows.map(article));
  part(page, 'bar').hidden = false;
  sumUp();
}

/** @param {HTMLFormElement} form @param {string} verdict */
async function judge(form, verdict) {
  const row = held.rows.find((each) => each.paragraph === form.dataset.paragraph);
  if (!row) return;
  const comment = String(new FormData(form).get('comment'));
  /** @type {{ line: string }} */
  const { line } = await call('POST', `/review/${held.rulebook}/sign`, { paragraph: row.paragraph, verdict, comment, text: row.digest });
  held.said.push(...await check([line]));
  held.lines.push(line);
  held.saved = false;
  const fresh = article(row);
  form.closest('[data-row]')?.replaceWith(fresh);
  /** @type {HTMLElement | null} */ (fresh.querySelector(`button[value=${verdict}]`))?.focus();
  sumUp();
}

function save() {
  const address = URL.createObjectURL(new Blob(held.lines.map((line) => `${line}\n`), { type: 'application/jsonl' }));
  const link = el('a', { href: address, download: `reviews-${held.rulebook}.jsonl` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  held.saved = true;
}

on('submit', 'form[data-review=align]', async (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  part(form, 'wrong').textContent = '';
  await align(form).catch((wrong) => { part(form, 'wrong').textContent = saying(wrong); });
});
on('submit', 'form[data-review=judge]', async (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  const pressed = /** @type {HTMLButtonElement | null} */ (/** @type {SubmitEvent} */ (event).submitter);
  await judge(form, pressed?.value || 'comment').catch((wrong) => toast(saying(wrong)));
});
on('click', '[data-review=save]', save);
on('change', '[data-part=state]', sumUp);
addEventListener('beforeunload', (event) => { if (!held.saved) event.preventDefault(); });
