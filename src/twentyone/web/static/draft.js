/* Wagers before they are laid: chips to click, rebet, clear. Wagers on the layout stay there (the text says so). */
import { el, guestName, money, titled, toast } from './dom.js';

const CHIPS = [1, 5, 25, 100, 500];
const button = (action, label, act, rest = {}) => el('button', { class: 'tw-button', type: 'button', 'data-action': action, onclick: act, ...rest }, label);

export class Draft {
  constructor(page) {
    this.page = page;
    this.rows = new Map();
    this.last = new Map();
    this.wager = 'main';
    this.box = null;
    this.shared = null;
    page.part('stage').querySelector('svg').setAttribute('role', 'group');
    page.part('stage').addEventListener('click', (event) => this.#clicked(event));
    page.part('stage').querySelectorAll('g.box').forEach((group) => {
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

  #clicked(event) {
    const group = event.target.closest('g.box');
    const { view } = this.page;
    if (!group || !view || view.you.role !== 'player') return;
    const box = Number(group.dataset.box);
    const taken = view.boxes.find((row) => row.box === box).players.length > 0;
    if (!view.you.boxes.length) this.page.sit(box);
    else if (view.you.boxes.includes(box)) this.#choose(box, event.target.closest('[data-wager]')?.dataset.wager);
    else if (taken && view.limits.players_per_box > 1) {
      this.shared = box;
      this.#choose(box);
    } else this.page.command('sit', { boxes: [...view.you.boxes, box].sort((a, b) => a - b) });
  }

  #choose(box, wager) {
    this.box = box;
    if (wager) this.wager = wager;
    this.page.actions();
  }

  #key(box, wager) {
    return `${box}:${wager}`;
  }

  add(amount) {
    const box = this.box ?? this.page.view.you.boxes[0];
    const key = this.#key(box, this.wager);
    this.rows.set(key, (this.rows.get(key) || 0) + amount);
    this.page.actions();
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
    return [[...this.rows], [...this.last], this.wager, this.box, this.#laid(view), free, this.#askers(view), this.#broke(view), view.you.barred];
  }

  #laid(view) {
    return view.boxes.some((row) => row.placed.some((placed) => placed.player === view.you.name));
  }

  /** Whether the player has less than the minimum wager left, and no wager on the layout. */
  #broke(view) {
    return !this.#laid(view) && Number(view.you.chips) < Number(view.limits.least || view.limits.chip);
  }

  /** Other players whom this player, the first on his box, may let wager there. */
  #askers(view) {
    const mine = view.boxes.filter((row) => row.consent?.first === view.you.name);
    return mine.flatMap((row) => Object.keys(view.players).filter((name) => name !== view.you.name && !row.consent.given.includes(name)).map((name) => [row.box, name]));
  }

  /** Switch a wager of a fixed amount on or off. */
  toggle(wager, amount) {
    const key = this.#key(this.box, wager);
    if (!this.rows.delete(key)) this.rows.set(key, Number(amount));
    this.page.actions();
  }

  clear() {
    this.rows.clear();
    this.page.actions();
  }

  rebet() {
    this.rows = new Map(this.last);
    this.page.actions();
  }

  async lay() {
    const rows = [...this.rows].sort(([one], [other]) => other.endsWith(':main') - one.endsWith(':main'));
    if (!rows.length) return toast('Choose chips first.');
    for (const [key, amount] of rows) {
      const [box, wager] = key.split(':');
      const answer = await this.page.command('place_wager', { box: Number(box), wager, amount: String(amount) });
      if (!answer) return undefined;
      this.last.set(key, amount);
      this.rows.delete(key);
    }
    return this.page.actions();
  }

  show(bar) {
    const { view } = this.page;
    if (!view.you.boxes.length) return bar.replaceChildren(...this.#freeBoxes(view));
    if (this.#broke(view)) return bar.replaceChildren(button('buy-in', 'Buy in again: $500 of play money', () => this.page.buyIn(), { class: 'tw-button gold' }));
    const boxes = [...new Set([...view.you.boxes, ...(this.shared ? [this.shared] : [])])];
    if (!boxes.includes(this.box)) this.box = boxes[0];
    return bar.replaceChildren(...this.#picks(view, boxes), ...this.#chips(), ...this.#ends(view), ...this.#consents(view));
  }

  /** Buttons that select the box and the wager. */
  #picks(view, boxes) {
    const pick = (label, on, act) => button(`pick-${label.split(' $')[0].replaceAll(' ', '-').toLowerCase()}`, label, act, { class: 'tw-button tw-pick', 'aria-pressed': String(on) });
    const parts = boxes.length > 1 ? boxes.map((box) => pick(`Box ${box}`, box === this.box, () => this.#choose(box))) : [];
    const free = view.wagers.filter((wager) => !view.stakes[wager]);
    if (!free.includes(this.wager)) this.wager = 'main';
    if (free.length > 1) parts.push(...free.map((wager) => pick(titled(wager), wager === this.wager, () => this.#choose(this.box, wager))));
    const fixed = Object.entries(view.stakes).filter(([wager]) => view.wagers.includes(wager));
    parts.push(...fixed.map(([wager, amount]) => pick(`${titled(wager)} ${money(amount)}`, this.rows.has(this.#key(this.box, wager)), () => this.toggle(wager, amount))));
    return parts;
  }

  #chips() {
    const token = (amount) => el('button', { class: `tw-token t${amount}`, type: 'button', 'data-action': `chip-${amount}`, 'aria-label': `add $${amount} to ${titled(this.wager)}`, onclick: () => this.add(amount) }, String(amount));
    return [el('div', { class: 'tw-tokens' }, ...CHIPS.map(token))];
  }

  #ends(view) {
    const total = [...this.rows.values()].reduce((sum, amount) => sum + amount, 0);
    const again = this.last.size > 0 && !this.#laid(view);
    return [el('div', { class: 'tw-ends' },
      button('clear', 'Clear', () => this.clear(), { 'aria-disabled': this.rows.size ? null : 'true' }),
      button('rebet', 'Rebet', () => again && this.rebet(), { 'aria-disabled': again ? null : 'true' }),
      button('lay', total ? `Lay ${money(total)}` : 'Lay wager', () => this.lay(), { class: 'tw-button gold' }))];
  }

  #consents(view) {
    return this.#askers(view).map(([box, player]) => button('consent', `Let ${player} wager on box ${box}`, () => this.page.command('consent', { box, player })));
  }

  #freeBoxes(view) {
    const free = view.boxes.filter((row) => !row.players.length);
    const buttons = free.map((row) => button(`sit-${row.box}`, `Sit at box ${row.box}`, () => this.page.sit(row.box)));
    if (view.you.name) return buttons;
    return [el('label', { class: 'tw-amount' }, 'Your name', el('input', { class: 'tw-field', name: 'guest', value: guestName(), placeholder: 'Guest', maxlength: 31, autocomplete: 'nickname', oninput: (event) => guestName(event.target.value) })), ...buttons];
  }
}
