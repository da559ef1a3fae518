/* The pit board: every table in a row, pushed as it changes; what is asked of the floor is answered here. */
import { askToClose, openLaw } from './closing.js';
import { chipOf, el, money, on, part, plain, refused, titled, toast } from './dom.js';
import { awaited, call, newKey } from './live.js';
/** @import { Args, Attributes, Field, Noted, Pit, PitRow, PitStep } from '../view.d.ts' */

/** @type {Record<string, string>} */
const PHASES = { closed: 'closed', idle: 'idle', open: 'between rounds', round: 'a round is on', settled: 'cards to be picked up' };
const NEEDS = 2;
const CLOSED = 5;
const root = /** @type {HTMLElement} */ (document.querySelector('[data-part=pit]'));
const words = /** @type {HTMLInputElement} */ (part(root, 'words'));
const which = /** @type {HTMLSelectElement} */ (part(root, 'which'));
/** @type {Pit} */
let pit = { now: 0, alarms: [], rows: [] };
let ahead = 0;

/** Elements that are made anew only if what they show has changed: nobody loses what he is typing. */
class Kept {
  /** @type {Map<string, { seen: string, made: HTMLElement }>} */
  #known = new Map();

  /** @param {string} key @param {unknown} shown @param {() => HTMLElement} make */
  get(key, shown, make) {
    const seen = JSON.stringify(shown);
    const known = this.#known.get(key);
    if (known?.seen === seen) return known.made;
    const made = make();
    this.#known.set(key, { seen, made });
    return made;
  }
}

const rows = new Kept();
const steps = new Kept();

/** Put elements into a parent, moving nothing that is in its place already. @param {HTMLElement} parent @param {HTMLElement[]} children */
function fill(parent, children) {
  const same = parent.childElementCount === children.length && children.every((child, at) => parent.children[at] === child);
  if (same) return;
  const held = document.activeElement;
  parent.replaceChildren(...children);
  if (held instanceof HTMLElement && parent.contains(held)) held.focus();
}

/** How long something has lasted. @param {number} since */
function lasted(since) {
  const seconds = Math.max(0, Math.round(Date.now() / 1000 - ahead - since));
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** @param {Noted} noted @param {string} kind */
const note = ({ says, cite }, kind) => el('li', { class: kind }, titled(says), ' ', cite ? chipOf(cite, openLaw) : null);

/** @param {PitRow} row */
function waits({ waits: asked, waiting, since, automatic }) {
  if (!asked) return ['Nothing is due.'];
  const who = waiting ? `${waiting} ${waiting.includes(', ') ? 'wait' : 'waits'} for ` : 'Waits for ';
  const time = el('time', { 'data-since': since, datetime: new Date(since * 1000).toISOString() }, lasted(since));
  return [who, el('b', {}, asked.whom.join(', ')), `: ${plain(asked.says)} `, chipOf(asked.cite, openLaw), automatic && asked.role !== 'player' ? ' automatic' : time];
}

/** @param {PitRow} row */
function wrong({ alarms, irregularities, overdue, mishaps }) {
  const notes = [...alarms.map((one) => note(one, 'loss')), ...irregularities.map((one) => note(one, 'open')), ...overdue.map((one) => note(one, 'due'))];
  const count = mishaps ? el('p', { class: 'tw-note' }, `${mishaps} today`) : null;
  return [notes.length ? el('ul', {}, ...notes) : null, count];
}

/** A cell with the name of its column, for narrow screens. @param {string} label @param {Attributes} attributes @param {...(Node | string | null)} inside */
const cell = (label, attributes, ...inside) => el('td', { 'data-label': label, ...attributes }, ...inside);

/** @param {PitRow} row */
function made(row) {
  const { table, title, source, phase, round, dealer, players } = row;
  const figure = (/** @type {string | null} */ amount) => (amount === null ? '…' : money(amount));
  const meters = Object.entries(row.meters).map(([name, amount]) => el('li', {}, `${titled(name)} ${money(amount)}`));
  const opens = row.asked.filter((step) => step.do === 'open_table' && row.urgency > NEEDS).map((step) => form(row, step));
  const closes = root.dataset.closes && phase !== 'closed' ? el('button', { class: 'tw-button', type: 'button', 'data-act': 'close-table', 'data-table': table, 'aria-label': `Close ${table}` }, 'Close') : null;
  return el('tr', { 'data-table': table, class: row.urgency <= NEEDS ? 'needs' : null },
    el('th', { scope: 'row' }, el('a', { href: `/table/${table}` }, table), el('p', { class: 'tw-note' }, `${title}, ${source}`)),
    cell('Now', {}, `${PHASES[phase] || phase}${round ? `, round ${round}` : ''}`, el('p', { class: 'tw-note' }, dealer ? `${dealer} deals` : 'no dealer', players.length ? ` · ${players.join(', ')}` : '')),
    cell('Waits', {}, ...waits(row), ...opens),
    cell('Open', { class: 'tw-wrong' }, ...wrong(row)),
    cell('Inventory', { class: 'num' }, figure(row.inventory)),
    cell('Drop today', { class: 'num' }, figure(row.drop)),
    cell('Win today', { class: Number(row.win) < 0 ? 'num loss' : 'num' }, figure(row.win)),
    cell('Meters', {}, meters.length ? el('ul', {}, ...meters) : null),
    el('td', { class: 'tw-act' }, closes));
}

/** A field of a step. @param {Field} field */
function input(field) {
  const { name, type, choices, optional, value, least, most } = field;
  const shared = { class: 'tw-field', name, required: !optional };
  if (type === 'bool') return el('label', { class: 'tw-check' }, el('input', { type: 'checkbox', name, checked: value }), titled(name));
  const given = choices
    ? el('select', shared, el('option', { value: '' }, optional ? 'all' : 'choose'), ...choices.map((choice) => el('option', { value: String(choice) }, String(choice))))
    : el('input', { ...shared, type: type === 'int' ? 'number' : 'text', min: least, max: most, value, autocomplete: 'off' });
  return el('label', { class: 'tw-label' }, titled(name), given);
}

/** What was entered. @param {HTMLFormElement} filled @param {Field[]} fields */
function entered(filled, fields) {
  /** @type {Args} */
  const given = {};
  for (const { name, type } of fields) {
    const field = /** @type {HTMLInputElement} */ (filled.elements.namedItem(name));
    if (type === 'bool') given[name] = field.checked;
    else if (field.value !== '') given[name] = type === 'int' ? Number(field.value) : field.value.trim();
  }
  return given;
}

/** A step as a form, to be done from here. @param {PitRow} row @param {PitStep} step @param {boolean} [first] */
function form({ table }, step, first = true) {
  /** @type {HTMLFormElement} */
  const filled = el('form', { class: 'tw-row', 'data-step': step.do, onsubmit: async (event) => {
    event.preventDefault();
    const version = pit.rows.find((row) => row.table === table)?.version;
    try {
      const told = await call('POST', `/tables/${table}/commands`, { do: step.do, args: { ...step.args, ...entered(filled, step.fields) }, key: newKey(), version });
      if (awaited(told)) toast(awaited(told));
    } catch (trouble) {
      refused(trouble, openLaw);
    }
  } }, ...step.fields.map(input), el('button', { class: first ? 'tw-button gold' : 'tw-button', type: 'submit', 'aria-label': `${titled(step.do)}: ${table}` }, titled(step.do)));
  return filled;
}

/** What of a step is known beside its words. @param {PitStep} step */
const about = ({ about: name, args }) => Object.entries(args).map(([key, value]) => `${plain(key)} ${plain(String(value))}`).join(', ') || plain(name);

/** Steps about one thing, of which one is to be done. @param {PitRow} row @param {PitStep[]} ways */
function item(row, ways) {
  const [{ says, cite }] = ways;
  const what = el('p', {}, el('a', { href: `/table/${row.table}` }, row.table), `: ${titled(says)}`, about(ways[0]) ? ` (${about(ways[0])})` : '', ' ', chipOf(cite, openLaw));
  return el('li', { class: 'tw-panel' }, what, el('div', { class: 'tw-row' }, ...ways.map((step, at) => form(row, step, at === 0))));
}

/** What is asked at a table, by what it is about. @param {PitRow} row */
function groups(row) {
  const due = row.asked.filter((step) => step.do !== 'open_table' || row.urgency <= NEEDS);
  return [...new Set(due.map((step) => step.about))].map((name) => ({ row, name, ways: due.filter((step) => step.about === name) }));
}

/** Whether a row is looked for. @param {PitRow} row */
function wanted(row) {
  const text = [row.table, row.title, row.source, row.dealer, PHASES[row.phase], ...row.players].join(' ').toLowerCase();
  const kinds = { all: true, needs: row.urgency <= NEEDS, open: row.urgency < CLOSED, closed: row.urgency === CLOSED };
  return text.includes(words.value.trim().toLowerCase()) && kinds[/** @type {keyof typeof kinds} */ (which.value)];
}

function show() {
  const asked = pit.rows.flatMap(groups);
  fill(part(root, 'alarms'), pit.alarms.map((alarm) => rows.get(`! ${alarm.says}`, alarm, () => note(alarm, 'loss'))));
  fill(part(root, 'asked'), asked.map(({ row, name, ways }) => steps.get(`${row.table} ${name}`, ways, () => item(row, ways))));
  part(root, 'quiet').hidden = asked.length > 0;
  fill(part(root, 'rows'), pit.rows.filter(wanted).map((row) => rows.get(row.table, { ...row, version: 0 }, () => made(row))));
  const count = `${asked.length} ${asked.length === 1 ? 'step waits' : 'steps wait'} for you`;
  if (part(root, 'count').textContent !== count) part(root, 'count').textContent = count;
  document.title = `${asked.length ? `(${asked.length}) ` : ''}Pit · twentyone`;
}

/** Listen for ever; a lost connection is opened again. @param {number} wait */
function listen(wait) {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/pit/live`);
  socket.onmessage = (message) => {
    pit = JSON.parse(message.data);
    ahead = Date.now() / 1000 - pit.now;
    part(root, 'gone').hidden = true;
    wait = 250;
    show();
  };
  socket.onclose = ({ code }) => {
    if (code === 4401) return location.assign('/login?to=/pit');
    part(root, 'gone').hidden = false;
    setTimeout(() => listen(Math.min(wait * 2, 4000)), wait);
  };
}

on('click', '[data-act=close-table]', (button) => askToClose(button.dataset.table || ''));
words.addEventListener('input', show);
which.addEventListener('change', show);
setInterval(() => root.querySelectorAll('[data-since]').forEach((time) => { time.textContent = lasted(Number(/** @type {HTMLElement} */ (time).dataset.since)); }), 1000);
listen(250);
