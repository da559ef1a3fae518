/* The table page: the layout, the decisions, the reasons of payments, the story of the round. */
import { Layout } from './layout.js';
import { Live, call } from './live.js';
import { chipOf, el, guestName, money, part, refused, saying } from './dom.js';
import { Bar } from './bar.js';
import { Draft } from './draft.js';
import { Panel } from './panel.js';
import { Say } from './say.js';
import { Console } from './console.js';
import { Wheel } from './wheel.js';
/** @import { Args, Entry, Hints, Line, Moved, Push, View } from '../view.d.ts' */


export class TablePage {
  /** The table as it is shown. @type {View} */
  view;
  /** @type {Line[]} */
  log = [];
  /** @type {Hints | null} */
  hints = null;
  /** What is not shown before a wheel that turns stands still. @type {Push[]} */
  waiting = [];
  turning = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.id = root.dataset.table || '';
    this.rulebook = root.dataset.rulebook || '';
    this.layout = new Layout(this.part('stage'));
    this.draft = new Draft(this);
    this.bar = new Bar(this);
    this.say = new Say(this);
    this.panel = new Panel(this);
    this.console = new Console(this);
    this.wheel = new Wheel(this.layout);
    this.live = new Live(this.id, { onPush: (push) => this.push(push), onLine: (on) => this.line(on) });
    this.open = (/** @type {string} */ cite) => this.why(cite);
    this.narrow = matchMedia('(max-width: 720px)');
    this.narrow.addEventListener('change', () => this.begun && this.show(false));
    this.part('hints').addEventListener('click', () => this.hint());
    this.part('leave').addEventListener('click', () => this.command('leave', {}));
    /** @type {HTMLSelectElement} */
    this.paces = part(root, 'pace');
    this.paces.addEventListener('change', () => this.pace(this.paces.value));
    call('GET', `/tables/${this.id}/staff`).then((/** @type {{ pace: string }} */ set) => { this.paces.value = set.pace; }, () => null);
    this.live.connect();
  }

  /** Whether the server has told how the table is. */
  get begun() {
    return Boolean(this.view);
  }

  /** A part of the page by its name. @param {string} name @returns {HTMLElement} */
  part(name) {
    return part(this.root, name);
  }

  /** @param {string} pace */
  async pace(pace) {
    try {
      await call('PUT', `/tables/${this.id}/staff`, { pace });
    } catch (wrong) {
      refused(wrong, this.open);
    }
  }

  /** Take a box, or stand at the table: a guest gets his name and play money at once. @param {number | null} box */
  async sit(box, stand = false) {
    const known = this.view.you.name;
    const name = this.bar.field('guest')?.value.trim() || guestName() || 'Guest';
    try {
      await this.live.during(() => call('POST', `/tables/${this.id}/sit`, { box, name, stand }));
      if (!known) this.live.again();
    } catch (wrong) {
      refused(wrong, this.open);
    }
  }

  async buyIn() {
    try {
      await this.live.during(() => call('POST', `/tables/${this.id}/buy-in`));
    } catch (wrong) {
      refused(wrong, this.open);
    }
  }

  /** @param {boolean} on */
  line(on) {
    const bar = this.part('gone');
    bar.hidden = on;
    bar.textContent = on ? '' : 'The connection is lost. The page reconnects by itself; the table is safe in the ledger.';
  }

  /** Show what the server tells; while a wheel turns, its news waits until the wheel stands. @param {Push} push */
  push(push) {
    const spun = this.begun && push.log?.find((line) => line.kind === 'WheelSpun');
    if (this.turning || (spun && !this.wheel.calm.matches)) this.waiting.push(push);
    else this.take(push);
    if (spun) this.turn(spun.says);
  }

  /** @param {Push} push */
  take(push) {
    if (push.log) {
      const known = new Set(this.log.map((line) => line.n));
      this.log.push(...push.log.filter((line) => !known.has(line.n)));
      this.log = this.log.slice(-400);
      const last = push.log.at(-1);
      if (last && this.begun) this.part('announce').textContent = push.log.map((line) => line.says).join('. ');
    }
    if (push.view) {
      const first = !this.begun;
      const moved = !first && (this.view.offer?.box !== push.view.offer?.box || this.view.round !== push.view.round);
      if (moved || push.view.phase !== 'round') this.hints = null;
      if (!first && JSON.stringify(this.view.offer) !== JSON.stringify(push.view.offer)) this.hints = null;
      this.view = push.view;
      this.show(!first);
    }
  }

  /** @param {boolean} animate */
  show(animate) {
    const view = this.view;
    this.layout.render(view, animate);
    if (this.narrow.matches) this.layout.focus(view.offer?.box && (view.offer.yours || !view.you.boxes.length) ? [view.offer.box] : view.you.boxes);
    else this.layout.whole();
    document.querySelectorAll('[data-part=purse]').forEach((purse) => {
      purse.textContent = view.you.chips === null ? view.you.name : `${view.you.name} · ${money(view.you.chips)}`;
    });
    this.part('leave').hidden = !view.you.boxes.length && !view.you.standing;
    const byHand = /** @type {HTMLOptionElement | null} */ (this.paces.querySelector('[value="by hand"]'));
    if (byHand) byHand.hidden = view.you.role === 'player';
    const { role, name } = view.you;
    const notMine = (role === 'player' && this.paces.value === 'by hand') || (role === 'dealer' && view.dealer_on_duty !== name);
    this.paces.disabled = notMine || role === 'auditor';
    this.told();
    this.bar.show();
    this.panel.show();
    this.console.show(view);
  }

  /** Turn the wheel to what it told; then show what waited for it. @param {string} says */
  async turn(says) {
    const symbol = says.slice(says.lastIndexOf(': ') + 2);
    const { offer, weights } = this.view;
    const due = offer?.kind === 'spin' ? [weights[offer.turns || ''] || {}] : [];
    const turned = [...due, ...Object.values(weights)].find((each) => symbol in each);
    this.turning += 1;
    await this.wheel.spin(turned || { [symbol]: 1 }, symbol, says);
    this.turning -= 1;
    if (!this.turning) this.waiting.splice(0).forEach((push) => this.take(push));
  }

  told() {
    const [text, cite] = this.say.sentence();
    this.part('say').replaceChildren(el('span', {}, text), ' ', cite ? chipOf(cite, this.open) : '');
  }

  /** Give a command; nothing if it was refused, which the page then says. @param {string} name @param {Args} args @returns {Promise<Moved | null>} */
  async command(name, args) {
    try {
      return await this.live.command(name, args);
    } catch (wrong) {
      refused(wrong, this.open);
      return null;
    }
  }

  async hint() {
    if (!this.begun || !this.view.offer?.yours) return;
    this.part('hints').setAttribute('aria-busy', 'true');
    try {
      this.hints = await call('GET', `/tables/${this.id}/hint`);
      this.bar.show();
      this.panel.show();
    } catch (wrong) {
      refused(wrong, this.open);
    }
    this.part('hints').removeAttribute('aria-busy');
  }

  /** @param {string} cite */
  async why(cite) {
    const box = this.part('why');
    try {
      /** @type {Entry} */
      const entry = await call('GET', `/law/cite?rulebook=${encodeURIComponent(this.rulebook)}&cite=${encodeURIComponent(cite)}`);
      box.replaceChildren(el('b', {}, entry.cite), el('span', {}, entry.says), ' ', el('a', { href: `/law/${this.rulebook}#${encodeURIComponent(entry.paragraph)}` }, 'in the rulebook'));
    } catch (wrong) {
      box.replaceChildren(el('b', {}, cite), el('span', {}, saying(wrong)));
    }
    if (box.parentElement) box.parentElement.hidden = false;
    if (this.narrow.matches) box.scrollIntoView({ block: 'nearest' });
  }
}

const root = /** @type {HTMLElement | null} */ (document.querySelector('[data-page=table]'));
if (root) Object.assign(globalThis, { twentyone: new TablePage(root) });
