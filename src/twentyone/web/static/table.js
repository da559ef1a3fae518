/* The table page: the layout, the decisions, the reasons of payments, the story of the round. */
import { Layout } from './layout.js';
import { Live, Trouble, awaited, call } from './live.js';
import { el, guestName, money, part, plain, refused, saying, titled, toast } from './dom.js';
import { Bar } from './bar.js';
import { Clocks } from './clock.js';
import { Draft } from './draft.js';
import { Panel } from './panel.js';
import { Say } from './say.js';
import { Wheel } from './wheel.js';
/** @import { Args, Entry, Hints, Line, Moved, Push, View } from '../view.d.ts' */

/** Those who work at a table. */
const STAFF = ['dealer', 'floorperson', 'operator'];

export class TablePage {
  /** The table as it is shown. @type {View} */
  view;
  /** @type {Line[]} */
  log = [];
  /** @type {Hints | null} */
  hints = null;
  /** The console of whoever works here; nobody else loads it. @type {import('./console.js').Console | null} */
  console = null;
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
    this.wheel = new Wheel(this.layout);
    this.clocks = new Clocks(this);
    this.live = new Live(this.id, { onPush: (push) => this.push(push), onLine: () => this.line() });
    this.open = (/** @type {string} */ cite) => this.why(cite);
    this.explained = 0;
    this.narrow = matchMedia('(max-width: 720px), (max-width: 1100px) and (max-height: 600px)');
    this.narrow.addEventListener('change', () => this.begun && this.show(false));
    addEventListener('resize', () => this.begun && this.narrow.matches && this.layout.pan());
    this.part('hints').addEventListener('click', () => this.hint());
    this.part('leave').addEventListener('click', () => this.command('leave', {}));
    this.live.begin(JSON.parse(root.dataset.now || ''));
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

  /** Take a box, or stand at the table: a guest gets his name and play money at once. @param {number | null} box */
  async sit(box, stand = false) {
    const known = this.view.you.name;
    const name = this.bar.field('guest')?.value.trim() || guestName() || 'Guest';
    try {
      await this.live.during(() => call('POST', `/tables/${this.id}/sit`, { box, name, stand }));
      if (known) return;
      this.named();
      this.live.again();
    } catch (wrong) {
      refused(wrong, this.open);
    }
  }

  /** A visitor who sat down has a name: the header leads to his own page, and out. */
  named() {
    document.querySelector('.tw-me a[href="/login"]')?.replaceWith(el('button', { class: 'tw-link', type: 'button', 'data-act': 'logout', 'data-guest': true }, 'log out'));
    const own = el('a', { href: '/you', title: 'your rounds and your purse' });
    document.querySelector('.tw-me > [data-part=purse]')?.replaceWith(own);
    own.append(el('span', { 'data-part': 'purse' }));
  }

  async buyIn() {
    try {
      await this.live.during(() => call('POST', `/tables/${this.id}/buy-in`));
    } catch (wrong) {
      refused(wrong, this.open);
    }
  }

  /** Say that the connection is lost, and what is kept until it is back; meanwhile nothing else can be pressed. */
  line() {
    const { lost, waiting } = this.live;
    const bar = this.part('gone');
    bar.hidden = !lost && !waiting;
    const what = plain(String(waiting?.args.action || waiting?.do || ''));
    const kept = waiting ? ` Your “${what}” waits: it is sent again, and happens once.` : ' The table is safe in the ledger.';
    bar.textContent = bar.hidden ? '' : `The server cannot be reached. The page reconnects by itself.${kept}`;
    for (const name of ['actions', 'console']) this.part(name).toggleAttribute('inert', Boolean(waiting));
    this.root.querySelectorAll('[data-action]').forEach((button) => button.classList.toggle('waiting', Boolean(waiting) && plain(button.getAttribute('data-action') || '') === what));
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
    }
    if (push.view) {
      const first = !this.begun;
      const moved = !first && (this.view.offer?.box !== push.view.offer?.box || this.view.round !== push.view.round);
      if (moved || push.view.phase !== 'round') this.hints = null;
      if (!first && JSON.stringify(this.view.offer) !== JSON.stringify(push.view.offer)) this.hints = null;
      this.view = push.view;
      this.show(!first);
      if (first) this.live.resume()?.catch((wrong) => this.refuse(wrong));
    }
  }

  /** @param {boolean} animate */
  show(animate) {
    const view = this.view;
    this.layout.render(view, !this.console?.side.before(view) && animate);
    if (this.narrow.matches) this.layout.focus(view.offer?.box && (view.offer.yours || !view.you.boxes.length) ? [view.offer.box] : view.you.boxes, this.console?.side.turned(view), view.offer?.yours ? `${view.version}` : '');
    else this.layout.fit();
    this.console?.side.show(view);
    if (view.you.role === 'player') document.querySelectorAll('[data-part=purse]').forEach((purse) => {
      purse.replaceChildren(el('span', { class: 'tw-own' }, view.you.name), el('span', { class: 'tw-held' }, view.you.chips === null ? '' : ` · ${money(view.you.chips)}`));
    });
    Object.assign(this.part('notice'), { hidden: !view.notice, textContent: titled(view.notice || '') });
    this.part('leave').hidden = !view.you.boxes.length && !view.you.standing;
    this.clocks.show(view);
    this.say.show(view);
    this.bar.show();
    this.panel.show();
    if (this.console) {
      this.console.show(view);
      if (this.narrow.matches) this.layout.pan();
    } else if (STAFF.includes(view.you.role)) this.work();
  }

  /** Load the console. */
  async work() {
    const { Console } = await import('./console.js');
    this.console ||= new Console(this);
    this.show(false);
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

  /** Give a command, a dealer also for a guest; nothing if it was refused, which the page then says. @param {string} name @param {Args} args @param {string} [guest] @returns {Promise<Moved | null>} */
  async command(name, args, guest) {
    if (this.live.waiting) return null;
    try {
      const told = await this.live.command(name, args, guest);
      if (awaited(told)) toast(awaited(told));
      return told;
    } catch (wrong) {
      this.refuse(wrong);
      return null;
    }
  }

  /** Say why a command was not carried out. @param {unknown} wrong */
  refuse(wrong) {
    if (wrong instanceof Trouble && wrong.stale) toast('The table had moved on: this was not carried out. Look at what is asked now.');
    else refused(wrong, this.open);
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

  /** A result's paragraph goes with its round: none stands beside the next decision. */
  forget() {
    const panel = this.part('why').parentElement;
    if (this.explained && panel) panel.hidden = true;
    this.explained = 0;
  }

  /** Show a paragraph; at a settlement it opens by itself, with the way to the replay. @param {string} cite @param {number} [round] */
  async why(cite, round = 0) {
    const box = this.part('why');
    this.explained = round;
    const away = { target: '_blank', rel: 'noopener' };
    const replay = round ? [' · ', el('a', { href: `/rounds/${this.id}/${round}`, ...away }, `replay of round ${round}`)] : [];
    try {
      /** @type {Entry} */
      const entry = await call('GET', `/law/cite?rulebook=${encodeURIComponent(this.rulebook)}&cite=${encodeURIComponent(cite)}`);
      box.replaceChildren(el('b', {}, entry.cite), el('span', {}, entry.says), ' ', el('a', { href: `/law/${this.rulebook}#${encodeURIComponent(entry.paragraph)}`, ...away }, 'in the rulebook'), ...replay);
    } catch (wrong) {
      box.replaceChildren(el('b', {}, cite), el('span', {}, saying(wrong)));
    }
    if (round !== this.explained) return;
    if (box.parentElement) box.parentElement.hidden = false;
    if (this.narrow.matches && !round) box.scrollIntoView({ block: 'nearest' });
  }
}

const root = /** @type {HTMLElement | null} */ (document.querySelector('[data-page=table]'));
if (root) Object.assign(globalThis, { twentyone: new TablePage(root) });
