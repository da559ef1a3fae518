/* Wagers before they are laid: chips to click, rebet, clear; wagers spoken with cash, and taken back where the text lets
   a player. */
import { el, guestName, money, near, part, titled, toast, valueOf } from './dom.js';
import { asked } from './ask.js';
import { call } from './live.js';
/** @import { Attributes, View } from '../view.d.ts' */
/** @import { TablePage } from './table.js' */

const CHIPS = [1, 5, 25, 100, 500];
/** A key as its button shows it. @param {string} cap */
const cap = (cap) => el('kbd', { 'aria-hidden': 'true' }, cap);
/** @param {string} action @param {string} label @param {() => unknown} act @param {Attributes} rest */
const button = (action, label, act, rest = {}) => el('button', { class: 'tw-button', type: 'button', 'data-action': action, onclick: act, ...rest }, label);
/** A button with a key, grey while `act` is null. @param {string} action @param {string} label @param {[key: string, shown: string]} key @param {(() => unknown) | null} act @param {string} kind */
const keyed = (action, label, [key, shown], act, kind = '') => el('button', { class: `tw-button${kind}`, type: 'button', 'data-action': action, 'aria-keyshortcuts': key, 'aria-disabled': act ? null : 'true', onclick: pointed(() => act?.()) }, cap(shown), el('span', {}, label));
/** What a button does; one that was pressed by pointer does not keep the focus, so that Enter lays the wager. @param {() => unknown} act @returns {(event: MouseEvent) => void} */
const pointed = (act) => (event) => {
  if (event.detail && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  act();
};
/** @param {Map<string, number>} rows */
const sum = (rows) => [...rows.values()].reduce((total, amount) => total + amount, 0);

export class Draft {
  /** Chosen, not laid yet: amounts by box and wager. @type {Map<string, number>} */
  rows = new Map();
  /** What was chosen before each step since the last lay, for undoing. @type {Map<string, number>[]} */
  past = [];
  /** What was laid last. @type {Map<string, number>} */
  last = new Map();
  /** Chips that this player has at other tables, by table; nothing: not asked yet. @type {Record<string, string> | null} */
  elsewhere = null;
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
    this.groups = /** @type {SVGGElement[]} */ ([...stage.querySelectorAll('g.box')]).sort((one, other) => Number(one.dataset.box) - Number(other.dataset.box));
    for (const group of this.groups) {
      group.setAttribute('role', 'button');
      group.setAttribute('aria-label', `box ${group.dataset.box}`);
      group.addEventListener('keydown', (event) => this.#keyed(event, group));
    }
  }

  /** Enter and space choose a box, arrows go to the next one that can be chosen. @param {KeyboardEvent} event @param {SVGGElement} group */
  #keyed(event, group) {
    const choosable = this.groups.filter((each) => each.hasAttribute('tabindex'));
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = choosable.at((choosable.indexOf(group) + step) % choosable.length);
      choosable.forEach((each) => each.setAttribute('tabindex', each === next ? '0' : '-1'));
      next?.focus();
    } else if (['Enter', ' '].includes(event.key)) this.#clicked(event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** One stop of Tab for all boxes that can be chosen, none while there are none. */
  tabs() {
    const choosable = this.groups.filter((group) => this.#choosable(Number(group.dataset.box)));
    const stop = choosable.find((group) => group.getAttribute('tabindex') === '0') || choosable[0];
    for (const group of this.groups) {
      if (choosable.includes(group)) group.setAttribute('tabindex', group === stop ? '0' : '-1');
      else group.removeAttribute('tabindex');
    }
  }

  /** Whether this person may take a box now, or wager on it. @param {number} box */
  #choosable(box) {
    const { you, boxes, limits } = this.page.view;
    const taken = boxes.some((row) => row.box === box && row.players.length > 0);
    if (you.role !== 'player') return false;
    if (!you.boxes.length && !you.standing) return !taken;
    if (!this.page.bar.wagering()) return false;
    const mine = you.boxes.includes(box) && you.boxes.length > 1;
    return mine || (taken ? limits.players_per_box > 1 && !you.boxes.includes(box) : you.standing || (you.boxes.length < limits.boxes_per_player && this.#beside(box)));
  }

  /** Whether a box lies beside the own ones, where the text asks for that. @param {number} box */
  #beside(box) {
    const { you, limits } = this.page.view;
    return !limits.adjacent || !you.boxes.length || you.boxes.some((own) => Math.abs(own - box) === 1);
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

  /** Where the next chip goes. */
  get #place() {
    return this.#key(this.box ?? this.page.view.you.boxes[0], this.wager);
  }

  /** Why a chip cannot be added; empty if it can. @param {number} amount */
  #whyNot(amount) {
    const { you, limits, boxes } = this.page.view;
    const left = Number(you.chips) - sum(this.rows);
    if (!this.cash && amount > left) return `You have ${money(Math.max(0, left))} left.`;
    if (this.wager !== 'main') return '';
    const laid = boxes.find((row) => row.box === this.box)?.placed.filter(({ player, wager }) => player === you.name && wager === 'main') || [];
    const then = amount + (this.rows.get(this.#place) || 0) + laid.reduce((total, each) => total + Number(each.amount), 0);
    if (limits.least !== null && then < Number(limits.least)) return `The least wager here is ${money(limits.least)}.`;
    return limits.most !== null && then > Number(limits.most) ? `The highest wager here is ${money(limits.most)}.` : '';
  }

  /** @param {number} amount */
  add(amount) {
    const why = this.#whyNot(amount);
    if (why) toast(why);
    else this.#change(new Map(this.rows).set(this.#place, (this.rows.get(this.#place) || 0) + amount));
  }

  /** Choose other chips, in one step that can be undone. @param {Map<string, number>} rows */
  #change(rows) {
    this.past.push(this.rows);
    this.rows = rows;
    this.page.bar.show();
  }

  /** Take the last chip back, or whatever the last step was. */
  undo() {
    this.rows = this.past.pop() || this.rows;
    this.page.bar.show();
  }

  /** The chosen chips twice, where the text fixes no amount; nothing if that is too much. */
  #doubled() {
    const { sizes, limits, you } = this.page.view;
    const rows = new Map([...this.rows].map(([key, amount]) => [key, sizes[key.split(':')[1]] ? amount : 2 * amount]));
    const high = [...rows].some(([key, amount]) => key.endsWith(':main') && limits.most !== null && amount > Number(limits.most));
    return rows.size && !high && (this.cash || sum(rows) <= Number(you.chips)) ? rows : null;
  }

  /** Whether the wagers of the last round can be laid again. */
  get #again() {
    const { view } = this.page;
    return this.last.size > 0 && !this.#ownLaid(view).length && sum(this.last) <= Number(view.you.chips);
  }

  /** What a key does while wagers are laid; nothing if it does nothing. @param {string} pressed */
  key(pressed) {
    const { view } = this.page;
    if ((!view.you.boxes.length && !view.you.standing) || this.#broke(view)) return null;
    const chip = CHIPS[Number(pressed) - 1];
    const doubled = pressed === 'D' && this.#doubled();
    if (chip) return () => this.add(chip);
    if (doubled) return () => this.#change(doubled);
    if (pressed === 'BACKSPACE' && this.past.length) return () => this.undo();
    if (pressed === 'ENTER' && this.rows.size) return () => this.lay();
    return pressed === 'B' && this.#again ? () => this.rebet() : null;
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
    return [[...this.rows], this.past.length, [...this.last], this.wager, this.box, this.#ownLaid(view), free, this.#askers(view), this.#guests(view), this.#broke(view), view.you, this.cash, view.manners, this.elsewhere];
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
    const rows = new Map(this.rows);
    if (rows.get(key) === Number(amount)) rows.delete(key);
    else rows.set(key, Number(amount));
    this.#change(rows);
  }

  clear() {
    this.#change(new Map());
  }

  /** Lay the wagers of the last round again. */
  rebet() {
    this.rows = new Map(this.last);
    return this.lay();
  }

  async lay() {
    const rows = [...this.rows].sort(([one], [other]) => Number(other.endsWith(':main')) - Number(one.endsWith(':main')));
    if (!rows.length) {
      toast('Choose chips first.');
      return;
    }
    if (!this.#ownLaid(this.page.view).length) this.last = new Map();
    this.past = [];
    for (const [key, amount] of rows) {
      const [box, wager] = key.split(':');
      const answer = await this.page.command('place_wager', { box: Number(box), wager, amount: String(amount), ...(this.cash ? { cash: true } : {}) });
      if (!answer) return;
      this.last.set(key, (this.last.get(key) || 0) + amount);
      this.rows.delete(key);
    }
    this.cash = false;
    this.wager = 'main';
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
    if (this.#broke(view)) return [...this.#money(), ...this.page.bar.requests()];
    const boxes = view.you.standing ? this.#open(view) : [...new Set([...view.you.boxes, ...(this.shared ? [this.shared] : [])])];
    if (this.box === null || !boxes.includes(this.box)) this.box = boxes[0];
    const sits = view.you.standing ? this.#freeBoxes(view) : [];
    const line = (/** @type {string} */ kind, /** @type {HTMLElement[]} */ parts) => (parts.length ? [el('div', { class: `tw-line${kind}` }, ...parts)] : []);
    const asks = [...this.#consents(view), ...this.page.bar.requests(), ...sits, ...this.#asks(view)];
    return [...line('', this.#picks(view, boxes)), this.#chips(), this.#ends(view), ...line(' tw-asks', asks)];
  }

  /** Where a player without chips finds some: at the other table where his lie, or new ones. */
  #money() {
    if (this.elsewhere === null) {
      this.elsewhere = {};
      /** @type {Promise<{ at_tables?: Record<string, string> }>} */
      const asked = call('GET', '/me');
      asked.then((me) => { this.elsewhere = me.at_tables || {}; this.page.bar.show(); }, () => null);
    }
    const lying = Object.entries(this.elsewhere).filter(([table, amount]) => table !== this.page.id && Number(amount));
    const back = lying.map(([table, amount]) => el('a', { class: 'tw-button gold', href: `/table/${table}`, 'data-action': 'return' }, `Return to ${table}: your ${money(amount)} lie there`));
    return [...back, button('buy-in', 'Buy in again: $500 of play money', () => this.page.buyIn(), { class: `tw-button${back.length ? '' : ' gold'}` })];
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
    if (!view.you.standing && !this.#ownLaid(view).length) parts.push(button('stand_behind', 'Stand up', () => this.#standUp(), { class: 'tw-button tw-apart' }));
    return parts;
  }

  /** Give the own boxes away, once it is clear what that means. */
  async #standUp() {
    const { boxes, chips } = this.page.view.you;
    const which = `${boxes.length > 1 ? 'Boxes' : 'Box'} ${boxes.join(', ')}`;
    const says = el('p', {}, `${which} will be free for anybody. Your ${money(chips || 0)} stay at the table with you.`);
    if (await asked('Stand up?', [says], 'Stay seated', [['up', 'Stand up']]) === 'up') await this.page.command('stand_behind', {});
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
    return el('div', { class: 'tw-tokens' }, ...CHIPS.map((amount, index) => {
      const why = this.#whyNot(amount);
      return el('button', {
        class: `tw-token t${amount}`, type: 'button', 'data-action': `chip-${amount}`, 'aria-label': `add $${amount} to ${titled(this.wager)}`,
        'aria-keyshortcuts': index + 1, 'aria-disabled': why ? 'true' : null, title: why || `key ${index + 1}`, onclick: pointed(() => this.add(amount)),
      }, String(amount));
    }));
  }

  /** The steps back and on, each at its place whatever is chosen. @param {View} view */
  #ends(view) {
    const total = sum(this.rows);
    const doubled = this.#doubled();
    const back = view.manners.take_back && this.#ownLaid(view).length > 0;
    return el('div', { class: 'tw-ends' },
      keyed('undo', 'Undo', ['Backspace', '⌫'], this.past.length ? () => this.undo() : null),
      button('clear', 'Clear', () => this.rows.size && this.clear(), { 'aria-disabled': this.rows.size ? null : 'true' }),
      keyed('twice', '×2', ['D', 'D'], doubled && (() => this.#change(doubled))),
      back ? button('take_back_wager', 'Take back', () => this.back(), { class: 'tw-button wide' })
        : keyed('rebet', this.last.size ? `Rebet ${money(sum(this.last))}` : 'Rebet', ['B', 'B'], this.#again ? () => this.rebet() : null, ' wide'),
      keyed('lay', total ? `Lay ${money(total)}` : 'Lay wager', ['Enter', '↵'], () => this.lay(), ' gold wide'));
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
