/* The bar under the layout: decisions, the cut, requests, chips to lay; their buttons and keys. */
import { el, reason, signed, titled, toast, under, written } from './dom.js';
/** @import { Args, Decision, Offer } from '../view.d.ts' */

/** Fields in which a letter is text, not a decision. */
const WRITTEN = 'input:not([type=radio], [type=checkbox], [type=range]), select, textarea';
/** A selector for the button or field that has the focus. @param {HTMLElement & { name?: string }} element */
const held = ({ dataset, name }) => (dataset.action ? `[data-action=${dataset.action}]` : name ? `[name=${name}]` : null);

/** Restore the focus; in a text field, behind the text. @param {HTMLElement | null} element */
const hold = (element) => {
  element?.focus();
  if (element instanceof HTMLInputElement && element.type === 'text') element.setSelectionRange(element.value.length, element.value.length);
};

export class Bar {
  shown = '';

  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
    this.root = page.part('actions');
    document.addEventListener('keydown', (event) => this.key(event));
  }

  /** A field of the bar. @param {string} name @returns {HTMLInputElement | null} */
  field(name) {
    return this.root.querySelector(`[name=${name}]`);
  }

  // -- decisions

  /** Rebuild the bar only if something in it changed, so that a button does not vanish while it is pressed. */
  show() {
    const { offer, you, cut } = this.page.view;
    this.page.draft.tabs();
    this.page.part('hints').hidden = !offer?.hint;
    const now = JSON.stringify([offer?.yours ? offer : null, this.page.hints, this.wagering(), you.boxes, cut, this.page.view.requests, this.page.draft.now()]);
    if (now === this.shown) return;
    this.shown = now;
    this.page.layout.draft(this.wagering() ? this.page.draft.lying() : []);
    const bar = this.root;
    const { activeElement: focus } = document;
    const kept = focus instanceof HTMLElement && bar.contains(focus) ? held(focus) : null;
    if (offer?.yours) bar.replaceChildren(...this.buttons(offer));
    else if (this.cutting()) this.cut(bar);
    else if (this.wagering()) bar.replaceChildren(...this.page.draft.parts());
    else bar.replaceChildren(...this.requests());
    if (kept) hold(bar.querySelector(kept));
  }

  /** What a player may ask the staff for while no wager and no decision is his. */
  requests() {
    return this.page.view.requests.map(({ do: name, says, cite }) => el('button', { class: 'tw-button', type: 'button', title: cite, 'data-action': name, onclick: () => this.page.command(name, {}) }, titled(says)));
  }

  /** Whether a player may take a box or lay a wager now. */
  wagering() {
    const { you, phase, next } = this.page.view;
    const due = !you.boxes.length || next.some((step) => ['place_wager', 'deal'].includes(step.do));
    return you.role === 'player' && ['open', 'idle'].includes(phase) && due;
  }

  /** Whether the cut is offered to this player. */
  cutting() {
    const { cut, you } = this.page.view;
    return cut?.offered === you.name && you.role === 'player' && !this.page.clocks.cutsForMe(this.page.view);
  }

  /** @param {HTMLElement} bar */
  cut(bar) {
    if (bar.querySelector('.tw-cut') || !this.page.view.cut) return;
    const { least, cards } = this.page.view.cut;
    const slider = el('input', { type: 'range', class: 'tw-slider', min: least, max: cards - least, value: Math.round(cards / 2), 'aria-label': 'cards from the top' });
    const says = el('output', {}, slider.value);
    slider.addEventListener('input', () => { says.textContent = slider.value; });
    bar.replaceChildren(el('div', { class: 'tw-cut' }, slider, says,
      el('button', { class: 'tw-button gold', type: 'button', 'data-action': 'cut', 'aria-keyshortcuts': 'Enter', onclick: () => this.page.command('cut', { place: Number(slider.value) }) }, 'Cut here'),
      el('button', { class: 'tw-button', type: 'button', 'data-action': 'decline_cut', 'aria-keyshortcuts': 'N', onclick: () => this.page.command('decline_cut', {}) }, 'No, thanks')));
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
    const { chip } = this.page.view.limits;
    return el('label', { class: 'tw-amount' }, `${titled(action)} for`, el('input', { class: 'tw-field', type: 'number', name: 'amount', min: least ?? chip, max: most, step: chip, value: written(most), inputmode: 'decimal' }));
  }

  /** @param {Decision} decision */
  button(decision) {
    const { action, key, allowed, why, cite, name, short, says } = decision;
    const worth = this.page.hints?.decisions?.[action];
    const best = this.page.hints?.best === action;
    const below = allowed ? (worth !== undefined ? signed(worth, 3) : short) : reason(why || '');
    const attributes = {
      class: `tw-button${best ? ' best' : ''}`, type: 'button', 'aria-keyshortcuts': key, 'aria-disabled': allowed ? null : 'true',
      title: allowed ? says : under(why || '', cite), 'data-action': action,
      onclick: () => this.press(decision),
    };
    return el('button', attributes, key ? el('kbd', { 'aria-hidden': 'true' }, key) : null, el('span', {}, name || titled(action)), below ? el('small', {}, below) : null);
  }

  /** Decide, or say why it is not allowed. @param {Decision} decision */
  press(decision) {
    if (decision.allowed) this.decide(decision);
    else toast(decision.why || '', decision.cite, this.page.open);
  }

  /** @param {{ action: string, box?: number | null, most?: string }} decision */
  decide({ action, box, most }) {
    /** @type {Args} */
    const args = { action };
    if (box !== undefined) args.box = box;
    if (most !== undefined && action !== 'split') args.amount = this.field('amount')?.value || most;
    this.page.command('decide', args);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.page.begun) return;
    if (event.target instanceof Element && event.target.matches(WRITTEN)) return;
    const pressed = event.key.toUpperCase();
    const { offer } = this.page.view;
    if (pressed === '?') this.page.hint();
    if (!offer?.yours) {
      this.#wagered(event, pressed);
      return;
    }
    const decision = offer.decisions?.find((each) => each.key === pressed);
    if (decision) this.press(decision);
    else if (pressed === 'N' && offer.optional) this.decide({ action: 'decline', box: offer.box });
  }

  /** What a key does while nothing is to be decided: the cut, or chips. @param {KeyboardEvent} event @param {string} pressed */
  #wagered(event, pressed) {
    if (event.repeat || (pressed === 'ENTER' && event.target instanceof Element && event.target.closest('a, button, summary, [role=button], label'))) return;
    const cut = this.cutting() && { ENTER: 'cut', N: 'decline_cut' }[pressed];
    if (cut) /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-action=${cut}]`))?.click();
    const act = !this.cutting() && this.wagering() && this.page.draft.key(pressed);
    if (cut || act) event.preventDefault();
    if (act) act();
  }
}
