/* Wagers before they are laid: chips to click, rebet, clear; wagers spoken with cash, and taken back where the text lets
   a player. */
import { el, guestName, money, near, part, titled, toast, valueOf } from './dom.js';
/** @import { Attributes, View } from '../view.d.ts' */
/** @import { TablePage } from './table.js' */

const CHIPS = [1, 5, 25, 100, 500];
/** @param {string} action @param {string} label @param {() => unknown} act @param {Attributes} rest */
const button = (action, label, act, rest = {}) => el('button', { class: 'tw-button', type: 'button', 'data-action': action, onclick: act, ...rest }, label);

export class Draft {
  /** Chosen, not laid yet: amounts by box and wager. @type {Map<string, number>} */
  rows = new Map();
  /** What was laid last. @type {Map<string, number>} */
  last = new Map();
  wager = 'main';
  /** @type {number | null} */
  box = null;
  /** A box of somebody else on which this player wagers, too. @type {number | null} */
  shared = null;
  cash = false;

  /** @param {TablePage} page */
  constructor(page) {
    this.page = page;
    const stage = part(page.root, 'stage');
    stage.querySelector('svg')?.setAttribute('role', 'group');
    stage.addEventListener('click', (event) => this.#clicked(event));
    /** @type {NodeListOf<SVGGElement>} */
    const boxes = stage.querySelectorAll('g.box');
    boxes.forEach((group) => {
      group.setAttribute('tabindex', '0');
      group.setAttribute('role', 'button');
      group.setAttribute('aria-label', `box ${group.dataset.box}`);
      group.addEventListener('keydown', (event) => {
        if (!['Enter', ' '].includes(event.key)) return;
        event.preventDefault();
        this.#clicked(event);
      });
    });
  }

  /** @param {Event} event */
  #clicked(event) {
    const group = near(event, 'g.box');
    const { view } = this.page;
    if (!group || !this.page.begun || view.you.role !== 'player') return;
    const box = Number(group.dataset.box);
    const wager = near(event, '[data-wager]')?.dataset.wager;
    const taken = view.boxes.some((row) => row.box === box && row.players.length > 0);
    const full = view.you.boxes.length >= view.limits.boxes_per_player;
    if (view.you.standing) this.#choose(box, wager);
    else if (!view.you.boxes.length) this.page.sit(box);
    else if (view.you.boxes.includes(box)) this.#choose(box, wager);
    else if (taken && view.limits.players_per_box > 1) {
      this.shared = box;
      this.#choose(box);
    } else if (!taken && full) toast(`You may wager on ${view.limits.boxes_per_player} box${view.limits.boxes_per_player > 1 ? 'es' : ''} here.`);
    else if (!taken) this.page.command('sit', { boxes: [...view.you.boxes, box].sort((a, b) => a - b) });
  }

  /** @param {number | null} box @param {string} [wager] */
  #choose(box, wager) {
    this.box = box;
    if (wager) this.wager = wager;
    this.page.bar.show();
  }

  /** @param {number | null} box @param {string} wager */
  #key(box, wager) {
    return `${box}:${wager}`;
  }

  /** @param {number} amount */
  add(amount) {
    const box = this.box ?? this.page.view.you.boxes[0];
    const key = this.#key(box, this.wager);
    this.rows.set(key, (this.rows.get(key) || 0) + amount);
    this.page.bar.show();
  }

  /** Chips that are chosen but not laid yet. */
  lying() {
    return [...this.rows].map(([key, amount]) => {
      const [box, wager] = key.split(':');
      return { box: Number(box), wager, amount };
    });
  }

  /** The state of its part of the bar, to see whether it changed. */
  now() {
    const { view } = this.page;
    const free = view.you.boxes.length ? 0 : view.boxes.filter((row) => !row.players.length).map((row) => row.box);
    return [[...this.rows], [...this.last], this.wager, this.box, this.#ownLaid(view), free, this.#askers(view), this.#guests(view), this.#broke(view), view.you.barred, view.you.standing, this.cash, view.manners];
  }

  /** Whether the player has less than the minimum wager left, and no wager on the layout. @param {View} view */
  #broke(view) {
    return !this.#ownLaid(view).length && Number(view.you.chips) < Number(view.limits.least || view.limits.chip);
  }

  /** Other players whom this player, the first on his box, may let wager there. @param {View} view @returns {[box: number, player: string][]} */
  #askers(view) {
    const others = Object.keys(view.players).filter((name) => name !== view.you.name);
    return this.#consenting(view).flatMap(({ box, given }) => others.filter((name) => !given.includes(name)).map((name) => /** @type {[number, string]} */ ([box, name])));
  }

  /** Those whom this player has let wager on a box. @param {View} view @returns {[box: number, player: string][]} */
  #guests(view) {
    return this.#consenting(view).flatMap(({ box, given }) => given.map((name) => /** @type {[number, string]} */ ([box, name])));
  }

  /** The boxes on which this player says who wagers there, too, and whom he let. @param {View} view */
  #consenting(view) {
    return view.boxes.flatMap(({ box, consent }) => (consent?.first === view.you.name ? [{ box, given: consent.given }] : []));
  }

  /** Switch a wager of a fixed amount on or off. @param {string} wager @param {string} amount */
  toggle(wager, amount) {
    const key = this.#key(this.box, wager);
    if (this.rows.get(key) === Number(amount)) this.rows.delete(key);
    else this.rows.set(key, Number(amount));
    this.page.bar.show();
  }

  clear() {
    this.rows.clear();
    this.page.bar.show();
  }

  rebet() {
    this.rows = new Map(this.last);
    this.page.bar.show();
  }

  async lay() {
    const rows = [...this.rows].sort(([one], [other]) => Number(other.endsWith(':main')) - Number(one.endsWith(':main')));
    if (!rows.length) {
      toast('Choose chips first.');
      return;
    }
    for (const [key, amount] of rows) {
      const [box, wager] = key.split(':');
      const answer = await this.page.command('place_wager', { box: Number(box), wager, amount: String(amount), ...(this.cash ? { cash: true } : {}) });
      if (!answer) return;
      this.last.set(key, amount);
      this.rows.delete(key);
    }
    this.cash = false;
    this.page.bar.show();
  }

  /** Take the own wagers back, box by box, those that lie there and those that are only spoken. */
  async back() {
    const { view } = this.page;
    for (const box of this.#ownLaid(view)) await this.page.command('take_back_wager', { box });
  }

  /** @param {View} view */
  #ownLaid(view) {
    const laid = view.boxes.filter((row) => row.placed.some((placed) => placed.player === view.you.name)).map((row) => row.box);
    return [...new Set([...laid, ...view.verbal.filter((said) => said.player === view.you.name).map((said) => said.box)])];
  }

  /** What a player may do now, as buttons. */
  parts() {
    const { view } = this.page;
    if (!view.you.boxes.length && !view.you.standing) return this.#freeBoxes(view);
    if (this.#broke(view)) return [button('buy-in', 'Buy in again: $500 of play money', () => this.page.buyIn(), { class: 'tw-button gold' }), ...this.page.bar.requests()];
    const boxes = view.you.standing ? this.#open(view) : [...new Set([...view.you.boxes, ...(this.shared ? [this.shared] : [])])];
    if (this.box === null || !boxes.includes(this.box)) this.box = boxes[0];
    const sits = view.you.standing ? this.#freeBoxes(view) : [];
    return [...this.#picks(view, boxes), ...this.#chips(), ...this.#ends(view), ...this.#asks(view), ...this.#consents(view), ...this.page.bar.requests(), ...sits];
  }

  /** The boxes on which somebody who stands may wager: where nobody sits, or boxes are shared. @param {View} view */
  #open(view) {
    return view.boxes.filter((row) => !row.players.length || view.limits.players_per_box > 1).map((row) => row.box);
  }

  /** What a player may do beside laying chips: wager with cash, see the burn card, stand up. @param {View} view @returns {HTMLElement[]} */
  #asks(view) {
    const { verbal, burn_card: burned } = view.manners;
    const cash = el('label', { class: 'tw-check' }, el('input', { type: 'checkbox', name: 'cash', checked: this.cash, onchange: () => { this.cash = !this.cash; this.page.bar.show(); } }), 'Say it, with cash');
    /** @type {HTMLElement[]} */
    const parts = verbal ? [cash] : [];
    if (burned) parts.push(button('ask_burn_card', 'See the burn card', () => this.page.command('ask_burn_card', {})));
    const { boxes } = view.you;
    if (boxes.length > 1 && this.box && boxes.includes(this.box) && !this.#ownLaid(view).includes(this.box)) parts.push(button('give_back', `Give back box ${this.box}`, () => this.page.command('sit', { boxes: boxes.filter((box) => box !== this.box) })));
    if (!view.you.standing && !this.#ownLaid(view).length) parts.push(button('stand_behind', 'Stand up', () => this.page.command('stand_behind', {})));
    return parts;
  }

  /** Buttons that select the box and the wager. @param {View} view @param {number[]} boxes */
  #picks(view, boxes) {
    /** @param {string} label @param {boolean} on @param {() => unknown} act */
    const pick = (label, on, act, name = label.split(' $')[0]) => button(`pick-${name.replaceAll(' ', '-').toLowerCase()}`, label, act, { class: 'tw-button tw-pick', 'aria-pressed': String(on) });
    const parts = boxes.length > 1 ? boxes.map((box) => pick(`Box ${box}`, box === this.box, () => this.#choose(box))) : [];
    const free = view.wagers.filter((wager) => !view.sizes[wager]);
    if (!free.includes(this.wager)) this.wager = 'main';
    if (free.length > 1) parts.push(...free.map((wager) => pick(titled(wager), wager === this.wager, () => this.#choose(this.box, wager))));
    const fixed = Object.entries(view.sizes).filter(([wager]) => view.wagers.includes(wager));
    for (const [wager, sizes] of fixed) {
      const on = (/** @type {string} */ amount) => this.rows.get(this.#key(this.box, wager)) === Number(amount);
      const named = (/** @type {string} */ amount) => (sizes.length > 1 ? `${titled(wager)} ${amount}` : titled(wager));
      parts.push(...sizes.map((amount) => pick(`${titled(wager)} ${money(amount)}`, on(amount), () => this.toggle(wager, amount), named(amount))));
    }
    return parts;
  }

  #chips() {
    const token = (/** @type {number} */ amount) => el('button', { class: `tw-token t${amount}`, type: 'button', 'data-action': `chip-${amount}`, 'aria-label': `add $${amount} to ${titled(this.wager)}`, onclick: () => this.add(amount) }, String(amount));
    return [el('div', { class: 'tw-tokens' }, ...CHIPS.map(token))];
  }

  /** @param {View} view */
  #ends(view) {
    const total = [...this.rows.values()].reduce((sum, amount) => sum + amount, 0);
    const again = this.last.size > 0 && !this.#ownLaid(view).length;
    return [el('div', { class: 'tw-ends' },
      button('clear', 'Clear', () => this.clear(), { 'aria-disabled': this.rows.size ? null : 'true' }),
      button('rebet', 'Rebet', () => again && this.rebet(), { 'aria-disabled': again ? null : 'true' }),
      ...(view.manners.take_back && this.#ownLaid(view).length ? [button('take_back_wager', 'Take back', () => this.back())] : []),
      button('lay', total ? `Lay ${money(total)}` : 'Lay wager', () => this.lay(), { class: 'tw-button gold' }))];
  }

  /** @param {View} view */
  #consents(view) {
    const lets = this.#askers(view).map(([box, player]) => button('consent', `Let ${player} wager on box ${box}`, () => this.page.command('consent', { box, player })));
    const ends = this.#guests(view).map(([box, player]) => button('end-consent', `No longer let ${player} wager on box ${box}`, () => this.page.command('consent', { box, player, on: false })));
    return [...lets, ...ends];
  }

  /** @param {View} view */
  #freeBoxes(view) {
    const free = view.boxes.filter((row) => !row.players.length);
    const buttons = free.map((row) => button(`sit-${row.box}`, `Sit at box ${row.box}`, () => this.page.sit(row.box)));
    if (!view.you.standing) buttons.push(button('stand', 'Stand at the table', () => this.page.sit(null, true)));
    if (view.you.name) return buttons;
    return [el('label', { class: 'tw-amount' }, 'Your name', el('input', { class: 'tw-field', name: 'guest', value: guestName(), placeholder: 'Guest', maxlength: 31, autocomplete: 'nickname', oninput: (event) => guestName(valueOf(event)) })), ...buttons];
  }
}
