/* The table page: the layout, the decisions, the reasons of payments, the story of the round. */
import { Layout } from './layout.js';
import { Live, call } from './live.js';
import { chipOf, el, guestName, money, part, plain, reason, refused, saying, titled, toast } from './dom.js';
import { Draft } from './draft.js';
import { Console } from './console.js';
import { Wheel } from './wheel.js';
/** @import { Args, Decision, Entry, Hints, Line, Moved, Offer, Push, View } from '../view.d.ts' */

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty', 'twenty-one'];

/** @param {number} value @param {number} digits */
const signed = (value, digits) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;

/** Fields in which a letter is text, not a decision. */
const WRITTEN = 'input:not([type=radio], [type=checkbox], [type=range]), select, textarea';
const HASH = /^[0-9a-f]{64}$/;
/** @param {string} text */
const committed = (text) => (HASH.test(text) ? `Committed to as ${text.slice(0, 4)}…${text.slice(-4)}; the seed is published when the shoe is finished.` : 'Shuffled by hand: the dealer enters each card.');
/** @param {string} text @param {boolean} playing */
const turning = (text, playing) => (HASH.test(text) ? ` The wheels of ${playing ? 'this' : 'the next'} round are committed to as ${text.slice(0, 4)}…${text.slice(-4)}; their seed is published when it is over.` : '');

/** A selector for the button or field that has the focus. @param {HTMLElement & { name?: string }} element */
const held = ({ dataset, name }) => (dataset.action ? `[data-action=${dataset.action}]` : name ? `[name=${name}]` : null);

/** Restore the focus; in a text field, behind the text. @param {HTMLElement | null} element */
const hold = (element) => {
  element?.focus();
  if (element instanceof HTMLInputElement && element.type === 'text') element.setSelectionRange(element.value.length, element.value.length);
};

export class TablePage {
  /** The table as it is shown. @type {View} */
  view;
  /** @type {Line[]} */
  log = [];
  /** @type {Hints | null} */
  hints = null;
  shown = '';
  metered = '';

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.id = root.dataset.table || '';
    this.rulebook = root.dataset.rulebook || '';
    this.layout = new Layout(this.part('stage'));
    this.draft = new Draft(this);
    this.console = new Console(this);
    this.wheel = new Wheel(this.part('wheel'));
    this.live = new Live(this.id, { onPush: (push) => this.push(push), onLine: (on) => this.line(on) });
    this.open = (/** @type {string} */ cite) => this.why(cite);
    this.narrow = matchMedia('(max-width: 720px)');
    this.narrow.addEventListener('change', () => this.begun && this.show(false));
    document.addEventListener('keydown', (event) => this.key(event));
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
    const name = this.field('guest')?.value.trim() || guestName() || 'Guest';
    try {
      await this.live.during(() => call('POST', `/tables/${this.id}/sit`, { box, name, stand }));
      if (!known) this.live.again();
    } catch (wrong) {
      refused(wrong, this.open);
    }
  }

  /** A field of the bar. @param {string} name @returns {HTMLInputElement | null} */
  field(name) {
    return this.part('actions').querySelector(`[name=${name}]`);
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

  /** @param {Push} push */
  push(push) {
    if (push.log) {
      const known = new Set(this.log.map((line) => line.n));
      this.log.push(...push.log.filter((line) => !known.has(line.n)));
      this.log = this.log.slice(-400);
      const spun = this.begun && push.log.find((line) => line.kind === 'WheelSpun');
      if (spun) this.turn(spun.says);
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
    this.say();
    this.actions();
    this.panel();
    this.console.show(view);
  }

  /** Turn the wheel to what it told. @param {string} says */
  turn(says) {
    const symbol = says.slice(says.lastIndexOf(': ') + 2);
    const { offer, weights } = this.view;
    const due = offer?.kind === 'spin' ? [weights[offer.turns || ''] || {}] : [];
    const turned = [...due, ...Object.values(weights)].find((each) => symbol in each);
    this.wheel.spin(turned || { [symbol]: 1 }, symbol, says);
  }

  say() {
    const [text, cite] = this.sentence();
    this.part('say').replaceChildren(el('span', {}, text), ' ', cite ? chipOf(cite, this.open) : '');
  }

  /** What is said under the layout, and the paragraph. @returns {[text: string, cite?: string]} */
  sentence() {
    const { view } = this;
    const { offer } = view;
    if (offer?.yours) return [this.asked(offer), offer.cite];
    if (this.cutting()) return ['You may cut the cards: choose where.', view.next[0]?.cite];
    if (view.stopped) return [titled(`${view.stopped}.`), view.next[0]?.cite];
    if (view.phase === 'closed') return ['The table is closed.', view.next[0]?.cite];
    if (offer?.kind === 'spin') return [`The ${plain(offer.wheel || '')} wheel turns.`, offer.cite];
    if (offer) return [`${offer.box ? `Box ${offer.box}, ` : ''}${(offer.players || []).join(', ')}: ${plain(offer.kind === 'turn' ? 'to decide' : offer.kind)}.`, offer.cite];
    if (view.phase === 'open' && view.you.role === 'player') return this.waiting(view);
    const next = view.next[0];
    return next ? [titled(`${next.role}: ${next.says}.`), next.cite] : [''];
  }

  /** @param {View} view @returns {[text: string, cite?: string]} */
  waiting(view) {
    const next = view.next[0];
    if (view.you.barred) return ['You sat out a round of this shoe: you may wager after the reshuffle.', next?.cite];
    if (next && !['sit', 'place_wager', 'deal', 'confirm_verbal_wager', 'show_burn_card'].includes(next.do)) return [`The ${next.role}’s step: ${next.says}.`, next.cite];
    if (!view.you.boxes.length && !view.you.standing) return ['Take a box to play.', view.next.find((step) => step.do === 'sit')?.cite];
    if (view.verbal.some((said) => said.player === view.you.name)) return ['Your wager with cash waits to be confirmed.', next?.cite];
    const laid = view.boxes.some((box) => box.placed.some((row) => row.player === view.you.name));
    return [laid ? 'Your wager is laid: wait for the cards.' : 'Lay your wager.', next?.cite];
  }

  /** @param {Offer} offer */
  asked(offer) {
    const box = this.view.boxes.find((row) => row.box === offer.box);
    const hand = box && box.hands[(offer.hand || 1) - 1];
    const up = this.view.dealer.cards[0];
    /** @type {Record<string, string>} */
    const words = { insurance: 'Insurance?', surrender: 'Surrender?', rescue: 'Rescue the double?', second_chance: 'A second chance?', late_card: 'Your card was missed: have it dealt late, or call the hand dead?', exposed_card: 'This card was drawn in error: take it or refuse it?' };
    if (!hand || words[offer.kind]) return `Box ${offer.box}: ${words[offer.kind] || plain(offer.kind)}`;
    const total = `${hand.soft ? 'soft ' : ''}${NUMBERS[hand.total] || hand.total}`;
    const which = box.hands.length > 1 ? `Box ${offer.box}, hand ${offer.hand}` : `Box ${offer.box}`;
    return `${which}, ${total} against ${up ? `a ${up.slice(0, -1)}` : 'the dealer'}. Your decision.`;
  }

  // -- decisions

  /** Rebuild the bar only if something in it changed, so that a button does not vanish while it is pressed. */
  actions() {
    const { offer, you, cut } = this.view;
    this.part('hints').hidden = !(offer?.yours && offer.kind === 'turn');
    const now = JSON.stringify([offer?.yours ? offer : null, this.hints, this.wagering(), you.boxes, cut, this.view.requests, this.draft.now()]);
    if (now === this.shown) return;
    this.shown = now;
    this.layout.draft(this.wagering() ? this.draft.lying() : []);
    const bar = this.part('actions');
    const { activeElement: focus } = document;
    const kept = focus instanceof HTMLElement && bar.contains(focus) ? held(focus) : null;
    if (offer?.yours) bar.replaceChildren(...this.buttons(offer));
    else if (this.cutting()) this.cut(bar);
    else if (this.wagering()) bar.replaceChildren(...this.draft.parts());
    else bar.replaceChildren(...this.requests());
    if (kept) hold(bar.querySelector(kept));
  }

  /** What a player may ask the staff for while no wager and no decision is his. */
  requests() {
    return this.view.requests.map(({ do: name, says, cite }) => el('button', { class: 'tw-button', type: 'button', title: cite, 'data-action': name, onclick: () => this.command(name, {}) }, titled(says)));
  }

  /** Whether a player may take a box or lay a wager now. */
  wagering() {
    const { you, phase, next } = this.view;
    const due = !you.boxes.length || next.some((step) => ['place_wager', 'deal'].includes(step.do));
    return you.role === 'player' && ['open', 'idle'].includes(phase) && due;
  }

  /** Whether the cut is offered to this player. */
  cutting() {
    return this.view.cut?.offered === this.view.you.name && this.view.you.role === 'player';
  }

  /** @param {HTMLElement} bar */
  cut(bar) {
    if (bar.querySelector('.tw-cut') || !this.view.cut) return;
    const { least, cards } = this.view.cut;
    const slider = el('input', { type: 'range', class: 'tw-slider', min: least, max: cards - least, value: Math.round(cards / 2), 'aria-label': 'cards from the top' });
    const says = el('output', {}, slider.value);
    slider.addEventListener('input', () => { says.textContent = slider.value; });
    bar.replaceChildren(el('div', { class: 'tw-cut' }, slider, says,
      el('button', { class: 'tw-button gold', type: 'button', 'data-action': 'cut', onclick: () => this.command('cut', { place: Number(slider.value) }) }, 'Cut here'),
      el('button', { class: 'tw-button', type: 'button', 'data-action': 'decline_cut', onclick: () => this.command('decline_cut', {}) }, 'No, thanks')));
  }

  /** @param {Offer} offer */
  buttons(offer) {
    const { decisions = [] } = offer;
    /** @type {HTMLElement[]} */
    const buttons = decisions.map((decision) => this.button(decision));
    if (offer.optional) buttons.push(el('button', { class: 'tw-button', type: 'button', 'aria-keyshortcuts': 'N', 'data-action': 'decline', onclick: () => this.decide({ action: 'decline', box: offer.box }) }, el('kbd', { 'aria-hidden': 'true' }, 'N'), el('span', {}, 'No')));
    const less = decisions.find((one) => one.allowed && one.action !== 'split' && one.most !== undefined && one.least !== one.most);
    if (less) buttons.push(this.amount(less));
    return buttons;
  }

  /** The amount field of a wager that may be made for less than the maximum. @param {Decision} decision */
  amount({ action, least, most }) {
    const { chip } = this.view.limits;
    return el('label', { class: 'tw-amount' }, `${titled(action)} for`, el('input', { class: 'tw-field', type: 'number', name: 'amount', min: least ?? chip, max: most, step: chip, value: Number(most), inputmode: 'decimal' }));
  }

  /** @param {Decision} decision */
  button(decision) {
    const { action, key, allowed, why, cite, most } = decision;
    const worth = this.hints?.decisions?.[action];
    const best = this.hints?.best === action;
    const below = allowed ? (worth !== undefined ? signed(worth, 3) : most ? `up to ${money(most)}` : '') : reason(why || '');
    const attributes = {
      class: `tw-button${best ? ' best' : ''}`, type: 'button', 'aria-keyshortcuts': key, 'aria-disabled': allowed ? null : 'true',
      title: allowed ? null : `${why} (${cite})`, 'data-action': action,
      onclick: () => this.press(decision),
    };
    return el('button', attributes, key ? el('kbd', { 'aria-hidden': 'true' }, key) : null, el('span', {}, titled(action)), below ? el('small', {}, below) : null);
  }

  /** Decide, or say why it is not allowed. @param {Decision} decision */
  press(decision) {
    if (decision.allowed) this.decide(decision);
    else toast(decision.why || '', decision.cite, this.open);
  }

  /** @param {{ action: string, box?: number | null, most?: string }} decision */
  decide({ action, box, most }) {
    /** @type {Args} */
    const args = { action };
    if (box !== undefined) args.box = box;
    if (most !== undefined && action !== 'split') args.amount = this.field('amount')?.value || most;
    this.command('decide', args);
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

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.begun) return;
    if (event.target instanceof Element && event.target.matches(WRITTEN)) return;
    const pressed = event.key.toUpperCase();
    const { offer } = this.view;
    if (pressed === '?') this.hint();
    if (!offer?.yours) return;
    const decision = offer.decisions?.find((each) => each.key === pressed);
    if (decision) this.press(decision);
    else if (pressed === 'N' && offer.optional) this.decide({ action: 'decline', box: offer.box });
  }

  async hint() {
    if (!this.begun || !this.view.offer?.yours) return;
    this.part('hints').setAttribute('aria-busy', 'true');
    try {
      this.hints = await call('GET', `/tables/${this.id}/hint`);
      this.actions();
      this.panel();
    } catch (wrong) {
      refused(wrong, this.open);
    }
    this.part('hints').removeAttribute('aria-busy');
  }

  // -- the panel

  panel() {
    this.part('worth').replaceChildren(...(this.hints ? this.worth(this.hints) : []));
    const from = this.log.map((line) => line.kind).lastIndexOf('WagerPlaced');
    const story = this.log.slice(Math.max(0, Math.min(from < 0 ? this.log.length - 12 : from, this.log.length - 12)));
    this.part('story').replaceChildren(...story.toReversed().map((line) => el('li', {}, el('span', {}, titled(line.says)), chipOf(line.cite, this.open))));
    this.part('round').textContent = this.view.round ? `Round ${this.view.round.toLocaleString('en-US')}` : 'At the table';
    const { shoe } = this.view;
    const dealt = shoe ? `Shoe ${shoe.number}, ${shoe.left} of ${shoe.size} cards left. ${committed(shoe.commitment)}` : 'No shoe is in play.';
    this.part('shoe').textContent = dealt + turning(this.view.wheel_commitment, ['round', 'settled'].includes(this.view.phase));
    this.meters();
  }

  /** The progressive meters; a change is animated. */
  meters() {
    const now = JSON.stringify(this.view.meters);
    if (now === this.metered) return;
    /** @type {Record<string, string>} */
    const before = this.metered ? JSON.parse(this.metered) : {};
    this.metered = now;
    this.part('meters').replaceChildren(...Object.entries(this.view.meters).map(([name, amount]) => {
      const shown = el('b', {}, money(amount));
      if (before[name] !== undefined && before[name] !== amount) this.tick(shown, Number(before[name]), Number(amount));
      return el('div', { class: 'tw-meter' }, el('span', {}, titled(name)), shown);
    }));
  }

  /** @param {HTMLElement} element @param {number} from @param {number} to */
  tick(element, from, to) {
    if (this.layout.calm.matches) return;
    const begun = performance.now();
    const step = (/** @type {number} */ now) => {
      const part = Math.min(1, Math.max(0, now - begun) / 700);
      element.textContent = money(part < 1 ? from + (to - from) * part : to);
      if (part < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  /** @param {Hints} hints */
  worth({ decisions, best, basis }) {
    const rows = Object.entries(decisions).sort((one, other) => other[1] - one[1]);
    const body = rows.map(([name, value]) => el('tr', { class: name === best ? 'top' : null }, el('td', {}, plain(name)), el('td', {}, signed(value, 4))));
    return [el('h2', {}, 'This hand, exactly'), el('table', { class: 'tw-worth' }, el('tbody', {}, ...body)), el('p', { class: 'tw-note' }, basis || '')];
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
