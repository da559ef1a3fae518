/* The sentence under the layout: what the person who looks is asked, or what the table waits for. */
import { plain, titled } from './dom.js';
/** @import { Offer, View } from '../view.d.ts' */

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty', 'twenty-one'];

export class Say {
  /** @param {import('./table.js').TablePage} page */
  constructor(page) {
    this.page = page;
  }

  /** What is said under the layout, and the paragraph. @returns {[text: string, cite?: string]} */
  sentence() {
    const { view } = this.page;
    const { offer } = view;
    if (offer?.yours) return [this.asked(offer), offer.cite];
    if (this.page.bar.cutting()) return ['You may cut the cards: choose where.', view.next[0]?.cite];
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
    const box = this.page.view.boxes.find((row) => row.box === offer.box);
    const hand = box && box.hands[(offer.hand || 1) - 1];
    const up = this.page.view.dealer.cards[0];
    /** @type {Record<string, string>} */
    const words = { insurance: 'Insurance?', surrender: 'Surrender?', rescue: 'Rescue the double?', second_chance: 'A second chance?', late_card: 'Your card was missed: have it dealt late, or call the hand dead?', exposed_card: 'This card was drawn in error: take it or refuse it?' };
    if (!hand || words[offer.kind]) return `Box ${offer.box}: ${words[offer.kind] || plain(offer.kind)}`;
    const total = `${hand.soft ? 'soft ' : ''}${NUMBERS[hand.total] || hand.total}`;
    const which = box.hands.length > 1 ? `Box ${offer.box}, hand ${offer.hand}` : `Box ${offer.box}`;
    return `${which}, ${total} against ${up ? `a ${up.slice(0, -1)}` : 'the dealer'}. Your decision.`;
  }
}
