/* The consoles of dealer and floorperson: the next step in words, the steps after it, and every irregularity as a
   guided action. */
import { askToClose } from './closing.js';
import { chipOf, el, kept, money, part, plain, titled, valueOf } from './dom.js';
/** @import { Action, Args, Field, Step, View } from '../view.d.ts' */
/** @import { TablePage } from './table.js' */

const DEALER = 'twentyone_dealer';
/** @type {Record<string, string>} */
const LABELS = { place: 'Cards from the top', from_bottom: 'Cards from the bottom', whole: 'The decks came with their tens', cards: 'Cards counted', blackjack: 'Does it tell a Blackjack?', range: 'Which range does it tell?', wrong: 'What was entered', right: 'What it is', why: 'How it came about', number: 'Which of several such entries' };
const STAFF = ['dealer', 'floorperson', 'operator'];

export class Console {
  last = '';
  offered = '';
  now = el('div', { 'data-part': 'now', tabindex: '-1' });
  choose = el('select', { class: 'tw-field', 'aria-label': 'action', 'data-part': 'choose' });
  guide = el('div', { 'data-part': 'guide' });
  any = el('div', { hidden: '' });

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.root = part(page.root, 'console');
  }

  /** @param {View} view */
  show(view) {
    const { role } = view.you;
    this.root.hidden = !STAFF.includes(role);
    if (this.root.hidden) return;
    if (!this.now.isConnected) this.#build(role);
    const now = JSON.stringify([view.next, view.agenda, view.phase, view.stopped, view.cut, view.offer, view.verbal, view.dealer_on_duty]);
    if (now === this.last) return;
    this.last = now;
    const worked = this.now.contains(document.activeElement);
    this.now.replaceChildren(...this.#steps(view, role), ...this.#agenda(view));
    if (worked) this.#goOn();
    this.#offer(view);
  }

  /** Keep the focus in the console, on the next step if there is one: Enter after Enter carries out the steps. */
  #goOn() {
    const field = /** @type {HTMLInputElement | HTMLSelectElement | null} */ (this.now.querySelector('input:not([type=checkbox]), select'));
    const button = /** @type {HTMLButtonElement | null} */ (this.now.querySelector('button[type=submit]'));
    (field || button || this.now).focus();
    if (field instanceof HTMLInputElement) field.select();
  }

  /** @param {string} role */
  #build(role) {
    const go = el('button', { class: 'tw-button', type: 'button', 'data-act': 'begin', onclick: () => this.#begin() }, 'Begin');
    this.any.replaceChildren(el('h2', {}, 'At any time'), el('div', { class: 'tw-any' }, this.choose, go), this.guide);
    this.root.replaceChildren(el('h2', {}, `${role}’s next step`), this.now, this.any);
  }

  /** @param {View} view @param {string} role */
  #steps(view, role) {
    if (role === 'dealer' && view.dealer_on_duty !== view.you.name) return [el('p', { class: 'tw-note' }, view.dealer_on_duty ? `${view.dealer_on_duty} deals here, not you.` : 'The table is closed.')];
    const steps = view.next.filter((step) => step.role === role || (step.do === 'decide' && step.about === role));
    if (steps.length) return steps.map((step, index) => this.#step(step, index === 0));
    const [first] = view.next;
    if (!first) return [el('p', { class: 'tw-note' }, 'Nothing is due.')];
    const says = view.offer?.players ? `Waiting for ${view.offer.players.join(', ')} to decide.` : `Waiting for the ${first.role}: ${first.says}.`;
    return [el('p', { class: 'tw-note' }, says)];
  }

  /** One step: its words, its paragraph, its fields. @param {Step} step @param {boolean} first */
  #step(step, first) {
    const known = this.#known(step);
    const wanted = (this.page.view.fields?.[step.do] || []).filter((field) => known[field.name] === undefined);
    const name = step.do === 'decide' ? titled(step.says) : titled(step.do) + (step.about && known.device ? ` (${plain(step.about)})` : '');
    const inputs = wanted.map((field) => this.#field(field));
    /** @type {HTMLFormElement} */
    const form = el('form', { class: 'tw-step', 'data-step': step.do, onsubmit: async (event) => {
      event.preventDefault();
      if (await this.page.command(step.do, { ...known, ...this.#given(wanted, inputs) })) form.reset();
    } },
    el('p', {}, titled(step.says), this.#aboutWager(known), ' ', chipOf(step.cite, this.page.open)), ...inputs,
    el('button', { class: first ? 'tw-button gold' : 'tw-button', type: 'submit', 'data-do': step.do }, name));
    return form;
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
    /** @type {Args} */
    const said = action.name ? { name: action.name } : {};
    /** @type {HTMLFormElement} */
    const form = el('form', { class: 'tw-form', onsubmit: async (event) => {
      event.preventDefault();
      if (await this.page.command(action.do, { ...said, ...this.#given(action.fields, inputs) })) form.remove();
    } },
    el('p', {}, titled(action.name || action.says), ' ', chipOf(action.cite, this.page.open)), ...inputs,
    el('div', { class: 'tw-row' }, el('button', { class: 'tw-button gold', type: 'submit', 'data-act': 'do' }, 'Do it'),
      el('button', { class: 'tw-button', type: 'button', onclick: () => form.remove() }, 'Leave it')));
    this.guide.replaceChildren(form);
    /** @type {HTMLElement | null} */ (form.querySelector('input, select, button'))?.focus();
    this.page.open(action.cite);
  }

  /** What was entered. @param {Field[]} fields @param {HTMLElement[]} inputs */
  #given(fields, inputs) {
    /** @type {Args} */
    const given = {};
    fields.forEach((field, index) => {
      const input = /** @type {HTMLInputElement} */ (inputs[index].querySelector('input, select'));
      if (field.type === 'bool') given[field.name] = field.unset ? input.value === 'true' : input.checked;
      else if (input.value !== '') given[field.name] = field.type === 'int' ? Number(input.value) : input.value.trim();
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
