/* Wagers before they are laid: chips to click, rebet, clear. What lies on the layout stays there (the text says so). */
import { el, money, plain, toast } from './dom.js';

const CHIPS = [1, 5, 25, 100, 500];

export class Draft {
  constructor(page) {
    this.page = page;
    this.rows = new Map();
    this.last = new Map();
    this.wager = 'main';
    this.box = null;
    page.part('stage').addEventListener('click', (event) => this.#clicked(event));
    page.part('stage').querySelectorAll('g.box').forEach((group) => {
      group.setAttribute('tabindex', '0');
      group.setAttribute('role', 'button');
      group.setAttribute('aria-label', `box ${group.dataset.box}`);
      group.addEventListener('keydown', (event) => ['Enter', ' '].includes(event.key) && this.#clicked(event));
    });
  }

  #clicked(event) {
    const group = event.target.closest('g.box');
    const { view } = this.page;
    if (!group || !view || view.you.role !== 'player') return;
    const box = Number(group.dataset.box);
    const area = event.target.closest('[data-wager]');
    if (!view.you.boxes.length) this.page.sit ? this.page.sit([box]) : this.page.command('sit', { boxes: [box] });
    else if (view.you.boxes.includes(box)) {
      this.box = box;
      if (area) this.wager = area.dataset.wager;
      this.page.actions();
    } else this.page.command('sit', { boxes: [...view.you.boxes, box].sort((a, b) => a - b) });
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

  /** What its part of the bar shows, to know whether it changed. */
  now() {
    const { view } = this.page;
    const laid = view.boxes.some((row) => row.placed.some((placed) => placed.player === view.you.name));
    const free = view.you.boxes.length ? 0 : view.boxes.filter((row) => !row.players.length).map((row) => row.box);
    return [[...this.rows], [...this.last], this.wager, this.box, laid, free];
  }

  /** A wager that has one size is on or off. */
  toggle(wager, stake) {
    const key = this.#key(this.box, wager);
    if (!this.rows.delete(key)) this.rows.set(key, Number(stake));
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
    return undefined;
  }

  show(bar) {
    const { view } = this.page;
    if (!view.you.boxes.length) return bar.replaceChildren(...this.#seats(view));
    const laid = view.boxes.some((row) => row.placed.some((placed) => placed.player === view.you.name));
    const total = [...this.rows.values()].reduce((sum, amount) => sum + amount, 0);
    const boxes = view.you.boxes;
    if (!boxes.includes(this.box)) this.box = boxes[0];
    const pick = (label, on, act) => el('button', { class: 'tw-button tw-pick', type: 'button', 'aria-pressed': String(on), 'data-action': `pick-${label.split(' $')[0].replaceAll(' ', '-').toLowerCase()}`, onclick: act }, label);
    const parts = [];
    if (boxes.length > 1) parts.push(...boxes.map((box) => pick(`Box ${box}`, box === this.box, () => { this.box = box; this.page.actions(); })));
    const free = view.wagers.filter((wager) => !view.stakes[wager]);
    if (!free.includes(this.wager)) this.wager = 'main';
    if (free.length > 1) parts.push(...free.map((wager) => pick(plain(wager), wager === this.wager, () => { this.wager = wager; this.page.actions(); })));
    const fixed = Object.entries(view.stakes).filter(([wager]) => view.wagers.includes(wager));
    parts.push(...fixed.map(([wager, stake]) => pick(`${plain(wager)} ${money(stake)}`, this.rows.has(this.#key(this.box, wager)), () => this.toggle(wager, stake))));
    parts.push(...CHIPS.map((amount) => el('button', { class: `tw-token t${amount}`, type: 'button', 'data-action': `chip-${amount}`, 'aria-label': `add $${amount} to ${plain(this.wager)}`, onclick: () => this.add(amount) }, String(amount))));
    parts.push(el('button', { class: 'tw-button', type: 'button', 'aria-disabled': this.rows.size ? null : 'true', onclick: () => this.clear() }, 'Clear'));
    parts.push(el('button', { class: 'tw-button', type: 'button', 'aria-disabled': this.last.size && !laid ? null : 'true', onclick: () => this.last.size && !laid && this.rebet() }, 'Rebet'));
    parts.push(el('button', { class: 'tw-button gold', type: 'button', 'data-action': 'lay', onclick: () => this.lay() }, total ? `Lay ${money(total)}` : 'Lay wager'));
    return bar.replaceChildren(...parts);
  }

  #seats(view) {
    const free = view.boxes.filter((row) => !row.players.length);
    return free.map((row) => el('button', { class: 'tw-button', type: 'button', onclick: () => this.page.command('sit', { boxes: [row.box] }) }, `Sit at box ${row.box}`));
  }
}
