/* Guests without a device: the dealer seats them, lays their wagers and enters what they signal. */
import { el, kept, money, plain, reason, titled, toast, under, written } from './dom.js';
/** @import { Args, Decision, Guest, View } from '../view.d.ts' */
/** @import { TablePage } from './table.js' */

/** Fields in which a letter is text, not a signal. */
const WRITTEN = 'input:not([type=radio], [type=checkbox], [type=range]), select, textarea';

/** @param {Guest} guest */
const boxesOf = ({ boxes }) => (boxes.length ? `box ${boxes.join(', ')}` : 'standing');

export class Guests {
  /** What each guest wagered last, by box and wager. @type {Map<string, Map<string, string>>} */
  last = new Map();
  /** Whether the list of guests is opened, once somebody has said so. @type {boolean | undefined} */
  open;

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    this.stored = `twentyone_before_${page.id}`;
    this.#recall();
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  get all() {
    return (this.page.begun && this.page.view.guests) || [];
  }

  /** Remember what lies there for a guest, so that it can be laid again. @param {View} view */
  remember(view) {
    for (const { name } of this.all) {
      const placed = view.boxes.flatMap((box) => box.placed.filter((row) => row.player === name).map((row) => /** @type {[string, string]} */ ([`${box.box} ${row.wager}`, row.amount])));
      if (placed.length) this.last.set(name, new Map(placed));
    }
    kept(this.stored, JSON.stringify([...this.last].map(([name, rows]) => [name, [...rows]])));
  }

  /** What was laid before this page was loaded again. */
  #recall() {
    /** @type {[string, [string, string][]][]} */
    const before = JSON.parse(kept(this.stored) || '[]');
    this.last = new Map(before.map(([name, rows]) => [name, new Map(rows)]));
  }

  /** What the guests are asked now: signals, the cut, wagers. @param {View} view */
  rows(view) {
    this.remember(view);
    const wagering = view.phase === 'open' && view.next.some((step) => ['place_wager', 'deal'].includes(step.do));
    const asked = this.all.flatMap((guest) => [
      ...(guest.offer ? [this.#signals(view, guest)] : []),
      ...(guest.cut ? [this.#cut(view, guest)] : []),
      ...(wagering && !guest.barred ? [this.#wagers(view, guest)] : []),
    ]);
    return [...asked, ...(wagering ? this.#everybody(view) : [])];
  }

  /** One press for all who have not wagered since. @param {View} view */
  #everybody(view) {
    const laid = view.boxes.flatMap((box) => box.placed.map((row) => row.player));
    const silent = this.all.filter(({ name, barred }) => this.last.has(name) && !barred && !laid.includes(name));
    if (silent.length < 2) return [];
    const lay = async () => {
      for (const guest of silent) await this.again(guest);
    };
    return [el('button', { class: 'tw-button', type: 'button', 'data-signal': 'everybody', onclick: lay }, `Everybody as before: ${silent.map(({ name }) => name).join(', ')}`)];
  }

  /** @param {string} name @param {string} says @param {...HTMLElement} parts */
  #row(name, says, ...parts) {
    return el('div', { class: parts.length > 3 ? 'tw-guest tw-wide' : 'tw-guest', role: 'group', 'data-guest': name, 'aria-label': `${name}: ${says}` }, el('p', {}, el('b', {}, name), ` · ${says}`), el('div', { class: 'tw-row' }, ...parts));
  }

  /** A guest's signals as buttons. @param {View} view @param {Guest} guest */
  #signals(view, guest) {
    const { name, offer } = guest;
    const box = view.boxes.find((row) => row.box === offer?.box);
    const hand = box?.hands[(offer?.hand || 1) - 1];
    const up = view.dealer.cards[0];
    const total = hand ? `${hand.soft ? 'soft ' : ''}${hand.total}${up ? ` against ${up.slice(0, -1)}` : ''}` : '';
    const which = box && box.hands.length > 1 ? `, hand ${offer?.hand}` : '';
    const says = `box ${offer?.box}${which}: ${offer?.kind === 'turn' ? total : `${plain(offer?.kind || '')}?`}`;
    const first = this.all.find((each) => each.offer) === guest;
    const asked = (offer?.decisions || []).map((decision) => this.#signal(guest, decision, first ? decision.key : ''));
    const none = offer?.optional ? [el('button', { class: 'tw-button', type: 'button', 'data-signal': 'decline', 'aria-keyshortcuts': first ? 'N' : null, onclick: () => this.#decide(guest, { action: 'decline' }) }, first ? el('kbd', { 'aria-hidden': 'true' }, 'N') : null, 'No')] : [];
    const less = offer?.decisions?.find((one) => one.allowed && one.action !== 'split' && one.most !== undefined && one.least !== one.most);
    return this.#row(name, says, ...asked, ...none, ...(less ? [this.#amount(name, less)] : []));
  }

  /** The amount of a wager that may be made for less than the most. @param {string} name @param {Decision} decision */
  #amount(name, { action, least, most }) {
    const { chip } = this.page.view.limits;
    return el('label', { class: 'tw-amount' }, `${titled(action)} for`, el('input', { class: 'tw-field', type: 'number', name: 'amount', 'data-for': name, min: least ?? chip, max: most, step: chip, value: written(most), inputmode: 'decimal' }));
  }

  /** @param {Guest} guest @param {Decision} decision @param {string} key */
  #signal(guest, decision, key) {
    const { action, allowed, why, cite, most } = decision;
    const below = allowed ? (most ? money(most) : '') : reason(why || '');
    return el('button', { class: 'tw-button', type: 'button', 'data-signal': action, 'aria-keyshortcuts': key, 'aria-disabled': allowed ? null : 'true', title: allowed ? null : under(why || '', cite), onclick: () => this.#press(guest, decision) },
      key ? el('kbd', { 'aria-hidden': 'true' }, key) : null, el('span', {}, titled(action)), below ? el('small', {}, below) : null);
  }

  /** @param {Guest} guest @param {Decision} decision */
  #press(guest, decision) {
    if (decision.allowed) this.#decide(guest, decision);
    else toast(decision.why || '', decision.cite, this.page.open);
  }

  /** @param {Guest} guest @param {{ action: string, most?: string }} decision */
  #decide({ name, offer }, { action, most }) {
    /** @type {Args} */
    const args = { action };
    if (offer?.box) args.box = offer.box;
    if (offer?.hand && action === 'designate') args.hand = offer.hand;
    const amount = [...this.page.part('deal').querySelectorAll('[data-for]')].map((field) => /** @type {HTMLInputElement} */ (field)).find((field) => field.dataset.for === name);
    if (most !== undefined && action !== 'split') args.amount = amount?.value || most;
    return this.page.command('decide', args, name);
  }

  /** The keys of the decisions are those of whoever is asked first. @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target instanceof Element && event.target.matches(WRITTEN))) return;
    const guest = this.all.find(({ offer }) => offer);
    const pressed = event.key.toUpperCase();
    const decision = guest?.offer?.decisions?.find(({ key }) => key === pressed);
    if (guest && decision) this.#press(guest, decision);
    else if (guest?.offer?.optional && pressed === 'N') this.#decide(guest, { action: 'decline' });
  }

  /** @param {View} view @param {Guest} guest */
  #cut(view, { name }) {
    const { least = 0, cards = 0 } = view.cut || {};
    const place = el('input', { class: 'tw-field', type: 'number', name: 'place', min: least, max: cards - least, value: Math.round(cards / 2), 'aria-label': 'cards from the top' });
    return this.#row(name, 'may cut the cards', place,
      el('button', { class: 'tw-button', type: 'button', 'data-signal': 'cut', onclick: () => this.page.command('cut', { place: Number(place.value) }, name) }, 'Cuts here'),
      el('button', { class: 'tw-button', type: 'button', 'data-signal': 'decline_cut', onclick: () => this.page.command('decline_cut', {}, name) }, 'Declines'));
  }

  /** What a guest puts on his box. @param {View} view @param {Guest} guest */
  #wagers(view, guest) {
    const { name, boxes, chips } = guest;
    const laid = view.boxes.flatMap((box) => box.placed.filter((row) => row.player === name).map((row) => `${row.wager === 'main' ? '' : `${plain(row.wager)} `}${money(row.amount)}`));
    const before = this.last.get(name);
    const amount = el('input', { class: 'tw-field', type: 'number', name: 'amount', min: view.limits.chip, step: view.limits.chip, required: true, value: [...(before || [])].find(([key]) => key.endsWith(' main'))?.[1] || view.limits.least || view.limits.chip, inputmode: 'decimal', 'aria-label': `${name}’s wager` });
    const box = el('select', { class: 'tw-field', name: 'box', 'aria-label': 'box', hidden: boxes.length < 2 }, ...boxes.map((number) => el('option', { value: number }, `box ${number}`)));
    const wager = el('select', { class: 'tw-field', name: 'wager', 'aria-label': 'which wager', hidden: view.wagers.length < 2, onchange: () => { amount.value = view.sizes[wager.value]?.[0] || amount.value; } }, ...view.wagers.map((kind) => el('option', { value: kind }, kind === 'main' ? 'wager' : plain(kind))));
    const again = before && !laid.length ? [el('button', { class: 'tw-button', type: 'button', 'data-signal': 'again', onclick: () => this.again(guest) }, 'As before')] : [];
    const form = el('form', { class: 'tw-row', onsubmit: (event) => {
      event.preventDefault();
      this.page.command('place_wager', { box: Number(box.value), amount: amount.value, wager: wager.value }, name);
    } }, amount, box, wager, el('button', { class: 'tw-button', type: 'submit', 'data-signal': 'lay' }, 'Lay'), ...again);
    return this.#row(name, `${boxesOf(guest)} · ${money(chips)}${laid.length ? ` · laid ${laid.join(', ')}` : ''}`, form);
  }

  /** Lay what a guest had before, the main wager first. @param {Guest} guest */
  async again({ name, boxes }) {
    const rows = [...(this.last.get(name) || [])].map(([key, amount]) => ({ box: Number(key.split(' ')[0]), wager: key.split(' ')[1], amount }));
    for (const row of rows.toSorted((one, other) => Number(other.wager === 'main') - Number(one.wager === 'main'))) {
      if (boxes.includes(row.box) && !await this.page.command('place_wager', row, name)) return;
    }
  }

  // -- coming and going

  /** Who sits here without a device, and a form for another. @param {View} view */
  seats(view) {
    const free = view.boxes.filter((box) => !box.players.length).map((box) => box.box);
    const name = el('input', { class: 'tw-field', name: 'guest', required: true, maxlength: 31, autocomplete: 'off', placeholder: 'Name', 'aria-label': 'guest’s name' });
    const box = el('select', { class: 'tw-field', name: 'box', 'aria-label': 'box' }, ...free.map((number) => el('option', { value: number }, `box ${number}`)));
    const cash = el('input', { class: 'tw-field', name: 'cash', type: 'number', min: view.limits.chip, step: view.limits.chip, inputmode: 'decimal', placeholder: 'cash', 'aria-label': 'cash for chips' });
    const form = el('form', { class: 'tw-row', 'data-part': 'seat', onsubmit: async (event) => {
      event.preventDefault();
      if (!await this.page.command('seat_guest', { player: name.value.trim(), boxes: [Number(box.value)] })) return;
      if (cash.value) await this.page.command('buy_in', { player: name.value.trim(), amount: cash.value });
    } }, name, box, cash, el('button', { class: 'tw-button', type: 'submit', 'data-act': 'seat' }, 'Seat'));
    const toggled = (/** @type {Event} */ event) => { this.open = /** @type {HTMLDetailsElement} */ (event.target).open; };
    return el('details', { class: 'tw-seats', open: this.open ?? !this.all.length, ontoggle: toggled }, el('summary', {}, `Guests without a device: ${this.all.length || 'none'}`),
      el('ul', {}, ...this.all.map((guest) => this.#seated(guest))), ...(free.length ? [form] : []));
  }

  /** @param {Guest} guest */
  #seated(guest) {
    const { name, chips, requests } = guest;
    const asks = requests.map((request) => el('button', { class: 'tw-button', type: 'button', title: request.cite, 'data-signal': request.do, onclick: () => this.page.command(request.do, {}, name) }, titled(request.says)));
    const cash = el('input', { class: 'tw-field', name: 'cash', type: 'number', min: this.page.view.limits.chip, step: this.page.view.limits.chip, required: true, inputmode: 'decimal', placeholder: 'cash', 'aria-label': `${name}’s cash` });
    const buys = el('form', { class: 'tw-row', onsubmit: (event) => {
      event.preventDefault();
      this.page.command('buy_in', { player: name, amount: cash.value });
    } }, cash, el('button', { class: 'tw-button', type: 'submit', 'data-act': 'buys' }, 'Buys in'),
    el('button', { class: 'tw-button', type: 'button', 'data-act': 'leaves', onclick: () => this.page.command('leave', {}, name) }, 'Leaves'), ...asks);
    return el('li', { 'data-seated': name }, el('span', {}, `${name} · ${boxesOf(guest)} · ${money(chips)}`), buys);
  }
}
