/* Pages whose answers are worked out beside the tables: their controls make the address, which is the question; what is not
   answered yet is asked for, and the page shows how far it is. */
import { chosen } from './choices.js';
import { kept, on, part, saying } from './dom.js';
import { Trouble, call } from './live.js';
/** @import { Computation } from '../view.d.ts' */

const PLACE = 'twentyone_desk_place';

/** The field that names the game of a submission. @type {Record<string, string>} */
const GAME_OF = { submission: 'game', beside_submission: 'beside' };

/** The address that the controls of a page make. @param {HTMLFormElement} form */
function addressOf(form) {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    const field = form.elements.namedItem(name);
    const own = field instanceof Element && field.closest('[data-book]');
    if (!own && typeof value === 'string' && value.trim()) asked.set(name, value.trim());
  }
  form.querySelectorAll('[data-book]').forEach((found) => {
    const controls = /** @type {HTMLElement} */ (found);
    const { book, name = '' } = controls.dataset;
    const submission = book === asked.get(GAME_OF[name]) ? chosen(controls) : {};
    if (Object.keys(submission).length) asked.set(name, JSON.stringify(submission));
  });
  return `${form.getAttribute('action')}?${asked}`;
}

/** Keep the place on the page: how far down, which field, what is unfolded. @param {EventTarget | null} field */
function keepPlace(field) {
  const name = field instanceof Element ? field.getAttribute('name') : '';
  kept(PLACE, JSON.stringify({ y: scrollY, name, open: [...document.querySelectorAll('details[open]')].map(({ id }) => id) }));
}

/** Go to an address, and there to the same place. @param {string} address @param {EventTarget | null} [field] */
export function go(address, field = document.activeElement) {
  keepPlace(field);
  location.assign(address);
}

/** Be where the page before was left. */
function comeBack() {
  const left = kept(PLACE);
  if (!left) return;
  kept(PLACE, '');
  const { y, name, open } = JSON.parse(left);
  for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  scrollTo(0, y);
  if (name) /** @type {HTMLElement | null} */ (document.querySelector(`form[data-desk] [name="${name}"]`))?.focus({ preventScroll: true });
}

on('change', 'form[data-desk][data-at-once]', (/** @type {HTMLFormElement} */ form, { target }) => {
  if (!form.reportValidity()) return;
  try {
    go(addressOf(form), target);
  } catch (wrong) {
    part(form, 'wrong').textContent = saying(wrong);
  }
});

on('change', 'form[data-desk]:not([data-at-once]) [name=game]', (/** @type {HTMLSelectElement} */ field) => {
  go(`${field.form?.getAttribute('action')}?game=${field.value}`);
});

on('submit', 'form[data-desk]', (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  try {
    go(addressOf(form));
  } catch (wrong) {
    part(form, 'wrong').textContent = saying(wrong);
  }
});

/** @param {number} seconds */
const duration = (seconds) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

/** How far a computation is, in words. @param {Computation} job */
function words({ state, share, ahead, told }) {
  if (state === 'done') return '';
  if (state === 'waiting') return ahead ? `Waits for ${ahead} before it.` : 'Begins soon.';
  if (state === 'cancelled') return told.rounds ? `Cancelled; ${told.rounds.toLocaleString('en-US')} rounds are kept.` : 'Cancelled.';
  const speed = told.rate ? `, ${(told.rate / 1e6).toFixed(1)} million rounds per second, ${duration(told.seconds_left || 0)} left` : '';
  return `${Math.floor(share * 100)} %${speed}`;
}

/** @param {number} edge */
const percent = (edge) => `${edge < 0 ? '−' : ''}${(Math.abs(edge) * 100).toFixed(4)}\u00a0%`;

/** Show what is known of the figures on the way. @param {HTMLElement} place @param {Computation} job */
function showFirst(place, { told }) {
  const edge = place.querySelector('[data-part=edge]');
  if (edge && told.house_edge !== undefined) edge.textContent = percent(told.house_edge);
  for (const [name, points] of Object.entries(told.drawn || {})) {
    place.querySelectorAll(`[data-line=${name}]`).forEach((line) => line.setAttribute('points', points));
  }
}

/** @param {HTMLElement} place @param {Computation} job */
function show(place, job) {
  const bar = /** @type {HTMLProgressElement} */ (place.querySelector('progress'));
  const over = ['done', 'failed', 'cancelled'].includes(job.state);
  bar.hidden = over;
  if (job.state === 'running' && job.share) bar.value = job.share;
  const doing = job.state === 'running' && !job.told.rate && place.dataset.later === undefined ? `${bar.ariaLabel} ` : '';
  part(place, 'says').textContent = job.state === 'failed' ? '' : doing + words(job);
  part(place, 'wrong').textContent = job.why ? `${job.why}${job.cite ? ` (${job.cite})` : ''}` : '';
  part(place, 'wrong').hidden = !job.why;
  const button = (/** @type {string} */ act) => /** @type {HTMLElement | null} */ (place.querySelector(`[data-act=${act}]`));
  button('cancel')?.toggleAttribute('hidden', over || !job.yours);
  button('again')?.toggleAttribute('hidden', job.state !== 'cancelled' && job.state !== 'failed');
  button('ask')?.toggleAttribute('hidden', !over);
  showFirst(place, job);
}

/** Whether a picture can be drawn that the page does not have yet: it is drawn by the server. @param {HTMLElement} place @param {Computation} job */
const lacksPicture = (place, { told }) => Boolean(told.drawn && place.dataset.live !== undefined && !place.querySelector('[data-line]'));

/** Follow a computation to its end. @param {HTMLElement} place @param {Computation} job */
async function follow(place, job) {
  place.dataset.job = job.id;
  show(place, job);
  while (job.state === 'waiting' || job.state === 'running') {
    if (lacksPicture(place, job)) reload();
    job = await call('GET', `/jobs/${job.id}?seen=${job.changes}`);
    show(place, job);
  }
  return job.state === 'done';
}

/** Ask what a place of the page asks, or follow what the server has asked; whether it is answered. @param {HTMLElement} place */
export async function ask(place) {
  const { ask: asked, job } = place.dataset;
  try {
    return await follow(place, asked ? await call('POST', '/jobs', JSON.parse(asked)) : await call('GET', `/jobs/${job}`));
  } catch (wrong) {
    part(place, 'says').textContent = '';
    part(place, 'wrong').hidden = false;
    part(place, 'wrong').textContent = wrong instanceof Trouble && wrong.cite ? `${wrong.message} (${wrong.cite})` : saying(wrong);
    /** @type {HTMLElement} */ (place.querySelector('progress')).hidden = true;
    return false;
  }
}

/** Show the page with what is answered now. */
function reload() {
  keepPlace(document.activeElement);
  location.reload();
}

/** @param {HTMLElement} place */
const near = (place) => /** @type {HTMLElement} */ (place.closest('[data-ask]'));

on('click', '[data-act=ask]', async (button) => {
  const place = near(button);
  if (!await ask(place)) return;
  if (place.dataset.opens) go(`${place.dataset.opens}${place.dataset.job}`);
  else if (place.dataset.file === undefined) reload();
  else location.assign(`/api/v1/jobs/${place.dataset.job}/file`);
});

on('click', '[data-act=again]', async (button) => {
  if (!near(button).dataset.ask || await ask(near(button))) reload();
});

on('click', '[data-act=cancel]', (button) => call('DELETE', `/jobs/${near(button).dataset.job}`).catch(() => null));

on('change', '[data-act=upload]', async (/** @type {HTMLInputElement} */ field) => {
  const [file] = field.files || [];
  if (!file) return;
  const place = near(field);
  const { chart: _, ...question } = JSON.parse(place.dataset.ask || '{}');
  place.dataset.ask = JSON.stringify({ ...question, chart: await file.text() });
  if (await ask(place)) go(`${place.dataset.opens}${place.dataset.job}`);
});

on('click', '[data-act=print]', () => print());

/** Ask whatever the page does not know yet, all at once. */
async function askAll() {
  const places = [...document.querySelectorAll('[data-ask]:not([data-later])')];
  const answered = await Promise.all(places.map((place) => ask(/** @type {HTMLElement} */ (place))));
  if (answered.length && answered.every(Boolean)) reload();
}

comeBack();
askAll();
