/* The hands on the layout: cards in a fan that shows every rank and suit, with their totals and results. */
import { badge, card, faceDown, fitted, pointer, sidewaysCard, svg } from './cards.js';
import { CARD, CORNER } from './geometry.js';
import { outcome } from './chips.js';
import { place } from './motion.js';
/** @import { Box, Dealer, Hand } from '../view.d.ts' */
/** @import { Point, Slot } from './geometry.js' */
/** @import { Motion } from './motion.js' */

const DEALER = { x: 720, y: 62 };
const SHOE = { x: 1088, y: 72 };
const [WIDE, AREA] = [300, 184];
const APART = 94;

/** What a hand counts, in a word. @param {Hand | Dealer} hand */
const counts = (hand) => (hand.blackjack ? 'Blackjack' : hand.bust ? `bust ${hand.total}` : `${hand.soft ? 'soft ' : ''}${hand.total}`);

export class Hands {
  /** @param {Motion} motion @param {Map<string, SVGGElement>} areas The dealer's areas by their range. */
  constructor(motion, areas) {
    this.motion = motion;
    this.areas = areas;
  }

  /** Where the dealer's cards lie. @param {Dealer} dealer @returns {Point} */
  middle({ range }) {
    const area = range && this.areas.get(range);
    return area ? { x: place(area).x, y: place(area).y + 5 } : DEALER;
  }

  /** @param {Dealer} dealer @param {boolean} faint */
  dealer(dealer, faint) {
    const { cards, range } = dealer;
    const area = range && this.areas.get(range);
    const { x, y } = this.middle(dealer);
    const wide = area ? AREA : WIDE;
    const step = Math.max(CORNER.x, Math.min(APART, (wide - CARD.width) / Math.max(cards.length - 1, 1)));
    const scale = Math.min(1, wide / (CARD.width + step * (cards.length - 1)));
    const left = x - ((CARD.width + step * (cards.length - 1)) * scale) / 2;
    cards.forEach((code, index) => {
      const was = ['hidden', 'unknown'].some((back) => code !== back && this.motion.known.has(`card d ${index} ${back}`));
      this.motion.put(`card d ${index} ${code}`, () => card(code), { at: { x: left + index * step * scale, y, scale }, from: was ? 'turned' : SHOE, faint });
    });
    const says = this.#shows(dealer);
    const at = this.areas.size ? { x, y: y + 141 } : { x: left - 72, y: y + 48 };
    if (says) this.motion.put(`total d ${says}`, () => badge([says]), { at, faint });
    for (const [name, group] of this.areas) group.classList.toggle('lit', name === range);
  }

  /** What the dealer's cards count, as far as they are shown. @param {Dealer} dealer */
  #shows(dealer) {
    const { cards, total, showing } = dealer;
    if (total !== null && total !== undefined && cards.length > 1) return counts(dealer);
    return showing || total ? `${showing || total} +` : '';
  }

  /** A hand of a box. @param {Box} box @param {number} index @param {Slot} slot @param {{ asked: boolean, faint: boolean }} state */
  hand(box, index, slot, { asked, faint }) {
    const hand = box.hands[index];
    const several = box.hands.length > 1;
    const key = `${box.box} ${index}`;
    const { x, top, scale, rest, cards } = slot;
    const upright = hand.cards.length - hand.sideways.length;
    hand.cards.forEach((code, number) => {
      const lies = number < upright ? '' : ' sideways';
      const make = () => (lies ? sidewaysCard(code, number === hand.cards.length - 1 && code === hand.subtracted) : card(code));
      this.motion.put(`card ${key} ${number} ${code}${lies}`, make, { at: { ...cards[number], scale }, from: SHOE, faint });
    });
    if (!hand.cards.length && !hand.results.length) return;
    if (asked) this.motion.put(`turn ${key}`, () => pointer(), { at: { x, y: top - 3, scale: rest } });
    if (several) this.motion.put(`nth ${key}`, () => ordinal(index + 1), { at: { x: x - slot.width / 2, y: (hand.cards.length ? top : slot.badge.y) - 4, scale: rest }, faint });
    const [result, won] = hand.results.length ? outcome(hand.results) : ['', ''];
    const says = [...(hand.cards.length ? [counts(hand)] : []), ...(result ? [result] : [])];
    const kind = result ? won : asked ? 'asked' : hand.bust ? 'lost' : '';
    this.motion.put(`total ${key} ${says.join(' ')} ${kind}`, () => badge(says, kind), { at: { ...slot.badge, scale: rest * fitted(says, slot.width / rest) }, faint });
  }

  /** A card that was drawn in error, before the player who takes or refuses it, or to whom it is dealt next. @param {string} code @param {number} box @param {Slot} slot @param {string} says */
  exposed(code, box, slot, says) {
    this.motion.put(`card exposed ${box} ${code}`, () => card(code), { at: { ...slot.cards[0], scale: slot.scale }, from: SHOE });
    this.motion.put(`total exposed ${box} ${says}`, () => badge([says], 'asked'), { at: { ...slot.badge, scale: slot.scale * fitted([says], slot.width / slot.scale) } });
  }

  /** Whether a card that is taken away was only turned over. @param {string} key @param {Dealer} dealer */
  isTurned(key, dealer) {
    return faceDown(key.split(' ').at(-1) || '') && dealer.cards.length > 1;
  }
}

/** The number of a hand of a box that was split. @param {number} number */
function ordinal(number) {
  const group = svg('g', { class: 'tw-nth' });
  group.append(svg('text', { x: 2 }, String(number)));
  return group;
}
