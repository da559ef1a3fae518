/* The consoles of dealer and floorperson: the next step in words, the steps after it, and every irregularity as a
   guided action. */
import { askToClose } from './closing.js';
import { chipOf, el, kept, money, part, plain, titled, valueOf } from './dom.js';
import { Entries } from './entries.js';
import { Guests } from './guests.js';
import { cardOf, cardPad } from './pad.js';
import { Side } from './side.js';
/** @import { Action, Args, Field, Payment, Step, View } from '../view.d.ts' */
/** @import { TablePage } from './table.js' */

const DEALER = 'twentyone_dealer';
/** @type {Record<string, string>} */
const LABELS = { place: 'Cards from the top', from_bottom: 'Cards from the bottom', whole: 'The decks came with their tens', cards: 'Cards counted', blackjack: 'Does it tell a Blackjack?', range: 'Which range does it tell?', face_up: 'Found face up in the shoe', wrong: 'What was entered', right: 'What it is', why: 'How it came about', number: 'Which of several such entries' };
/** What a dealer calls out where the text has him announce it. */
const ALOUD = ['TotalAnnounced', 'BlackjackAnnounced', 'RangeAnnounced', 'Announced'];
/** What goes before an announcement: on a page that was loaded again, only what follows is still to be said. */
const BEFORE = ['CardDealt', 'wager_laid'];
/** Arguments that name a card. */
const CARDS = ['card', 'wrong', 'right'];
/** A key that begins the name of a card. */
const RANK = /^[0-9atjqk]$/i;

/** @param {string[]} names */
const listed = (names) => `${names.join(', ')} ${names.length === 1 ? 'has' : 'have'}`;

export class Console {
  last = '';
  offered = '';
  now = el('div', { 'data-part': 'now', tabindex: '-1' });
  choose = el('select', { class: 'tw-field', 'aria-label': 'action', 'data-part': 'choose' });
  guide = el('div', { 'data-part': 'guide' });
  any = el('div', { hidden: '' });
  below = el('div', {});
  heard = 0;
  aloud = '';

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.root = part(page.root, 'console');
    this.deal = part(page.root, 'deal');
    this.side = new Side(page);
    this.guests = new Guests(page);
    this.entries = new Entries(page, () => { this.#beside(page.view); this.#under(page.view); });
    document.addEventListener('keydown', (event) => this.#typed(event));
  }

  /** @param {View} view */
  show(view) {
    const { role } = view.you;
    this.root.hidden = false;
    if (!this.now.isConnected) this.#build(role);
    this.#hear();
    const now = JSON.stringify([view.next, view.agenda, view.phase, view.stopped, view.cut, view.offer, view.verbal, view.dealer_on_duty, view.guests, view.boxes, view.payments, view.entries, this.aloud]);
    if (now === this.last) return;
    this.last = now;
    const worked = this.now.contains(document.activeElement) || this.deal.contains(document.activeElement);
    this.now.replaceChildren(...this.#said(view), ...this.#steps(view, role), ...this.#agenda(view));
    this.#beside(view);
    this.#under(view);
    if (worked) this.#goOn();
    this.#offer(view);
  }

  /** What was announced since the page last changed. */
  #hear() {
    const news = this.page.log.filter((line) => line.n > this.heard);
    if (!news.length) return;
    if (!this.heard) news.splice(0, ['round', 'settled'].includes(this.page.view.phase) ? news.findLastIndex((line) => BEFORE.includes(line.kind)) + 1 : news.length - 1);
    this.heard = news[news.length - 1]?.n ?? this.heard;
    this.aloud = news.filter((line) => ALOUD.includes(line.kind)).map((line) => titled(line.says.replace(/^announced: /, ''))).join('. ');
  }

  /** What the dealer says aloud, and what he pays and takes, in the order of the text. @param {View} view */
  #said(view) {
    const says = this.aloud && view.you.role === 'dealer' ? [el('p', { class: 'tw-aloud', 'data-part': 'aloud' }, el('b', {}, 'Say: '), `“${this.aloud}.”`)] : [];
    const rows = (view.payments || []).map((row) => el('li', {}, el('span', {}, this.#payment(row)), chipOf(row.cite, this.page.open)));
    return rows.length ? [...says, el('p', { class: 'tw-note tw-order' }, 'Pay and take, in this order:'), el('ol', { class: 'tw-story tw-payments', 'data-part': 'payments' }, ...rows)] : says;
  }

  /** @param {Payment} row */
  #payment({ box, hand, player, wager, amount, outcome, net }) {
    const value = Number(net);
    const does = value > 0 ? `pay ${money(net)}` : value < 0 ? `take ${money(-value)}` : `${outcome}: give ${money(amount)} back`;
    const several = hand && (this.page.view.boxes.find((row) => row.box === box)?.hands.length || 0) > 1 ? `, hand ${hand}` : '';
    return `Box ${box}${several}, ${player}${wager === 'main' ? '' : `, ${plain(wager)}`}: ${does}`;
  }

  /** Under the layout: what guests without a device are asked, and the card pad where a card is due; while an entry is corrected, nothing else is entered. @param {View} view */
  #under(view) {
    const rows = this.guests.rows(view);
    const form = /** @type {HTMLFormElement | null} */ (this.now.querySelector('form:has(.tw-card-field)'));
    const pad = form && view.ranks ? [this.#pad(view.ranks, form)] : [];
    this.deal.hidden = !rows.length && !pad.length;
    this.deal.replaceChildren(...rows, ...pad, ...this.#due());
    for (const part of [this.deal, this.now]) part.toggleAttribute('inert', Boolean(this.entries.chosen));
  }

  /** On a phone, where the console is further down: the next step, if it asks for nothing. */
  #due() {
    const form = /** @type {HTMLFormElement | null} */ (this.now.querySelector('form:not(.tw-closing)'));
    const button = form?.querySelector('button[type=submit]');
    if (!form || !button || form.querySelector('input, select')) return [];
    return [el('button', { class: 'tw-button gold tw-due', type: 'button', 'data-act': 'due', onclick: () => form.requestSubmit() }, button.textContent)];
  }

  /** The pad enters a card into the step that is due. @param {string[]} ranks @param {HTMLFormElement} form */
  #pad(ranks, form) {
    const field = /** @type {HTMLInputElement} */ (form.querySelector('.tw-card-field'));
    const send = (/** @type {string} */ card) => {
      field.value = card;
      form.requestSubmit();
    };
    return cardPad(ranks, send, field.required ? null : () => send(''));
  }

  /** Corrections and guests, beside the next step. @param {View} view */
  #beside(view) {
    const seats = view.guests && ['open', 'idle', 'settled'].includes(view.phase) ? [this.guests.seats(view)] : [];
    this.below.replaceChildren(...this.entries.parts(view), ...seats);
  }

  /** The first letter of a card goes into its field, wherever the focus is. @param {KeyboardEvent} event */
  #typed(event) {
    const field = /** @type {HTMLInputElement | null} */ (this.now.querySelector('.tw-card-field'));
    const written = event.target instanceof Element && event.target.matches('input:not([type=checkbox]), select, textarea');
    if (field && !this.entries.chosen && !written && !event.ctrlKey && !event.metaKey && !event.altKey && RANK.test(event.key)) field.focus();
  }

  /** Keep the focus in the console, on the next step if there is one: Enter after Enter carries out the steps, but never
      one that closes what somebody else may still choose. */
  #goOn() {
    const field = /** @type {HTMLInputElement | HTMLSelectElement | null} */ (this.now.querySelector('form:not(.tw-closing) :is(input:not([type=checkbox]), select)'));
    const button = /** @type {HTMLButtonElement | null} */ (this.now.querySelector('form:not(.tw-closing) button[type=submit]'));
    (field || button || this.now).focus();
    if (field instanceof HTMLInputElement) field.select();
  }

  /** @param {string} role */
  #build(role) {
    const go = el('button', { class: 'tw-button', type: 'button', 'data-act': 'begin', onclick: () => this.#begin() }, 'Begin');
    this.any.replaceChildren(el('h2', {}, 'At any time'), el('div', { class: 'tw-any' }, this.choose, go), this.guide);
    this.root.replaceChildren(el('h2', {}, `${role}’s next step`), this.now, this.below, this.any);
  }

  /** @param {View} view @param {string} role */
  #steps(view, role) {
    if (role === 'dealer' && view.dealer_on_duty !== view.you.name) return [el('p', { class: 'tw-note' }, view.dealer_on_duty ? `${view.dealer_on_duty} deals here, not you.` : 'The table is closed.')];
    const steps = view.next.filter((step) => step.role === role || (step.do === 'decide' && step.about === role));
    if (steps.length) return steps.map((step, index) => this.#step(step, index === 0));
    const [first] = view.next;
    if (!first) return [el('p', { class: 'tw-note' }, 'Nothing is due.')];
    const guest = view.guests?.find(({ offer, cut }) => offer || cut);
    const says = guest ? `Enter what ${guest.name} signals.` : view.offer?.players ? `Waiting for ${view.offer.players.join(', ')} to decide.` : `Waiting for the ${first.role}: ${first.says}.`;
    return [el('p', { class: 'tw-note' }, says)];
  }

  /** One step: its words, its paragraph, its fields. @param {Step} step @param {boolean} first */
  #step(step, first) {
    const known = this.#known(step);
    const wanted = (this.page.view.fields?.[step.do] || []).filter((field) => known[field.name] === undefined);
    const closes = this.#closes(step);
    const name = closes || (step.do === 'decide' ? titled(step.says) : titled(step.do) + (step.about && known.device ? ` (${plain(step.about)})` : ''));
    const answers = wanted.length === 1 && step.do === 'reader_told' ? wanted[0] : null;
    const inputs = answers ? [] : wanted.map((field) => this.#field(field));
    /** @type {HTMLFormElement} */
    const form = el('form', { class: closes ? 'tw-step tw-closing' : 'tw-step', 'data-step': step.do, onsubmit: async (event) => {
      event.preventDefault();
      if (await this.page.command(step.do, { ...known, ...this.#given(wanted, inputs) })) form.reset();
    } },
    el('p', {}, titled(closes && step.do === 'decide' ? this.page.view.offer?.kind || '' : step.says), this.#aboutWager(known), ' ', chipOf(step.cite, this.page.open)), ...inputs,
    answers ? this.#answers(step, answers) : el('button', { class: first && !closes ? 'tw-button gold' : 'tw-button', type: 'submit', 'data-do': step.do }, name));
    return form;
  }

  /** What the reader may tell, each as a button. @param {Step} step @param {Field} field */
  #answers(step, { name, type, choices = [] }) {
    const words = (/** @type {string | number | boolean} */ choice) => (type === 'bool' ? (choice ? 'Blackjack' : 'No Blackjack') : titled(String(choice)));
    return el('div', { class: 'tw-row', role: 'group', 'aria-label': LABELS[name] }, ...choices.map((choice) => el('button', { class: 'tw-button', type: 'button', 'data-answer': String(choice), onclick: () => this.page.command(step.do, { [name]: choice }) }, words(choice))));
  }

  /** What a step closes that somebody else may still choose: such a step is never the default of Enter. @param {Step} step */
  #closes(step) {
    const { offer, players, boxes, cut } = this.page.view;
    if (step.do === 'decide' && step.says === 'decline') return `Close ${plain(offer?.kind || 'the offer')}: ${listed(offer?.players || [])} not answered`;
    if (step.do === 'decline_cut') return `${cut?.offered} does not cut`;
    if (step.do === 'decline_verbal_wager') return 'Decline verbal wager';
    if (step.do !== 'deal') return '';
    const laid = boxes.flatMap((box) => box.placed.map((row) => row.player));
    const silent = Object.keys(players).filter((name) => players[name].boxes.length && !laid.includes(name));
    return silent.length ? `Deal: ${listed(silent)} not wagered` : '';
  }

  /** Which spoken wager a step is about. @param {Args} known */
  #aboutWager({ box, player, wager }) {
    const said = this.page.view.verbal.find((row) => row.box === box && row.player === player && row.wager === wager);
    return said ? `: ${said.player}, ${plain(said.wager)}, ${money(said.amount)} on box ${said.box}` : '';
  }

  /** Arguments that the table knows already, so that nobody has to enter them. @param {Step} step @returns {Args} */
  #known(step) {
    const { view } = this.page;
    if (step.do === 'decide') return { action: step.says };
    const names = (view.fields?.[step.do] || []).map((field) => field.name);
    /** @type {Args} */
    const known = {};
    if (names.includes('device') && step.about) known.device = step.about;
    if (step.do === 'decline_cut' && view.cut?.offered) known.player = view.cut.offered;
    const said = step.do.endsWith('_verbal_wager') ? view.verbal.find((row) => row.player === step.about && !row.confirmed.includes(view.you.role)) : null;
    if (said) Object.assign(known, { box: said.box, player: said.player, wager: said.wager });
    return known;
  }

  /** @param {View} view */
  #agenda(view) {
    const rest = (view.agenda || []).slice(1);
    if (!rest.length) return [];
    const rows = rest.map((item) => el('li', {}, el('span', {}, titled(item.says)), chipOf(item.cite, this.page.open)));
    return [el('details', { class: 'tw-agenda', open: rest.length < 6 }, el('summary', {}, `Then ${rest.length} more`), el('ol', { class: 'tw-story' }, ...rows))];
  }

  /** Everything that this role may begin; rebuilt only if it changed, so that a selection is kept. @param {View} view */
  #offer(view) {
    const rows = view.actions || [];
    this.any.hidden = !rows.length;
    const now = JSON.stringify(rows);
    if (now === this.offered) return;
    this.offered = now;
    const options = rows.map((action, index) => ({ happened: action.do === 'happened', option: el('option', { value: index }, titled(action.name || action.says)) }));
    const group = (/** @type {string} */ label, /** @type {boolean} */ happened) => {
      const chosen = options.filter((row) => row.happened === happened).map((row) => row.option);
      return chosen.length ? [el('optgroup', { label }, ...chosen)] : [];
    };
    this.choose.replaceChildren(...group('Tasks', false), ...group('Irregularities', true));
  }

  #begin() {
    const action = this.page.view.actions?.[Number(this.choose.value)];
    if (action?.do === 'close_table') askToClose(this.page.id);
    else if (action) this.#ask(action);
  }

  /** A guided action: its name, its paragraph, its fields. @param {Action} action */
  #ask(action) {
    const inputs = action.fields.map((field) => this.#field(field));
    const chip = el('span', {}, chipOf(action.cite, this.page.open));
    const exposed = inputs.map((input) => /** @type {HTMLInputElement | null} */ (input.querySelector('[name=exposed]'))).find(Boolean);
    const paragraph = () => (exposed?.checked && action.exposed_cite) || action.cite;
    exposed?.addEventListener('change', () => {
      chip.replaceChildren(chipOf(paragraph(), this.page.open));
      this.page.open(paragraph());
    });
    /** @type {Args} */
    const said = action.name ? { name: action.name } : {};
    /** @type {HTMLFormElement} */
    const form = el('form', { class: 'tw-form', onsubmit: async (event) => {
      event.preventDefault();
      if (await this.page.command(action.do, { ...said, ...this.#given(action.fields, inputs) })) form.remove();
    } },
    el('p', {}, titled(action.name || action.says), ' ', chip), ...inputs,
    el('div', { class: 'tw-row' }, el('button', { class: 'tw-button gold', type: 'submit', 'data-act': 'do' }, 'Do it'),
      el('button', { class: 'tw-button', type: 'button', onclick: () => form.remove() }, 'Leave it')));
    this.guide.replaceChildren(form);
    /** @type {HTMLElement | null} */ (form.querySelector('input, select, button'))?.focus();
    if (action.cite) this.page.open(action.cite);
  }

  /** What was entered. @param {Field[]} fields @param {HTMLElement[]} inputs */
  #given(fields, inputs) {
    /** @type {Args} */
    const given = {};
    fields.forEach((field, index) => {
      const input = /** @type {HTMLInputElement} */ (inputs[index].querySelector('input, select'));
      if (field.type === 'bool') given[field.name] = field.unset ? input.value === 'true' : input.checked;
      else if (input.value !== '') given[field.name] = field.type === 'int' ? Number(input.value) : CARDS.includes(field.name) ? cardOf(input.value) : input.value.trim();
    });
    return given;
  }

  /** Attributes and the initial value of a field: the least that the text allows, or what the table knows. @param {Field} field */
  #suggested({ name, least, most, value }) {
    const { cut, dealer_on_duty: dealer } = this.page.view;
    if (name === 'place' && cut) return { min: cut.least, max: cut.cards - cut.least, value: Math.round(cut.cards / 2) };
    if (name === 'dealer') return { value: dealer || kept(DEALER), onchange: (/** @type {Event} */ event) => kept(DEALER, valueOf(event)) };
    if (name === 'amount') return { inputmode: 'decimal', placeholder: '100' };
    if (name === 'card') return { placeholder: '8D', class: 'tw-field tw-card-field', autocapitalize: 'characters', spellcheck: 'false' };
    return { min: least, max: most, value };
  }

  /** Enter in a choice sends the form, as it does in every other field. @param {KeyboardEvent} event */
  #sends(event) {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLSelectElement)) return;
    event.preventDefault();
    event.target.form?.requestSubmit();
  }

  /** A field; one that is `unset` begins empty, so that nobody answers by leaving it as it is. @param {Field} field */
  #field(field) {
    const { name, type, unset } = field;
    const required = !field.optional;
    if (type === 'bool' && !unset) return el('label', { class: 'tw-check' }, el('input', { type: 'checkbox', name, checked: field.value }), LABELS[name] || titled(name));
    const known = name === 'player' ? Object.keys(this.page.view.players) : [];
    const choices = field.choices || (known.length ? known : null);
    const shown = (/** @type {string | number | boolean} */ choice) => (choice === true ? 'Yes' : choice === false ? 'No' : ['player', 'dealer'].includes(name) ? String(choice) : plain(String(choice)));
    const empty = unset || field.optional ? [el('option', { value: '' }, field.optional ? 'all' : 'choose')] : [];
    const input = choices
      ? el('select', { class: 'tw-field', name, required, onkeydown: (event) => this.#sends(event), onchange: (event) => name === 'dealer' && kept(DEALER, valueOf(event)) }, ...empty, ...choices.map((choice) => el('option', { value: String(choice) }, shown(choice))))
      : el('input', { class: 'tw-field', name, type: type === 'int' ? 'number' : 'text', autocomplete: 'off', required, ...this.#suggested(field) });
    if (choices && name === 'dealer' && choices.includes(kept(DEALER))) input.value = kept(DEALER);
    const range = input instanceof HTMLInputElement && input.min && input.max ? ` (${input.min} to ${input.max})` : field.optional && !choices ? ' (optional)' : '';
    return el('label', { class: 'tw-label' }, `${LABELS[name] || titled(name)}${range}`, input);
  }
}
