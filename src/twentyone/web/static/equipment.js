/* Shoe and discard rack, as full as they are. */
/** @import { View } from '../view.d.ts' */

const SHOE = 72;
const RACK = 46;

/** The parts of a device: what is written under it, and its cards. @param {SVGElement} root @param {string} name */
function device(root, name) {
  const label = [...root.querySelectorAll('g.equipment .label')].find((each) => each.textContent?.startsWith(name));
  const cards = label?.parentElement?.querySelector('.cards');
  return label && cards ? { label, cards } : null;
}

/** @param {Element} cards @param {string} side @param {number} part @param {number} most */
function fill(cards, side, part, most) {
  const size = Math.min(1, part) * most;
  cards.setAttribute(side, size.toFixed(1));
  cards.toggleAttribute('hidden', size <= 0);
  return size;
}

/** @param {SVGElement} root @param {View} view */
export function showEquipment(root, view) {
  const { shoe, rack } = view;
  root.dataset.backs = shoe?.backs || root.dataset.backs || '';
  const dealt = device(root, 'shoe');
  if (dealt) {
    dealt.label.textContent = shoe ? `shoe · ${shoe.left} of ${shoe.size}` : 'shoe';
    fill(dealt.cards, 'width', shoe ? shoe.left / shoe.size : 0, SHOE);
    dealt.label.parentElement?.querySelector('.cover')?.toggleAttribute('hidden', !shoe);
  }
  const discards = device(root, 'discard rack');
  if (!discards) return;
  discards.label.textContent = `discard rack · ${rack}`;
  const bottom = Number(discards.cards.getAttribute('y')) + Number(discards.cards.getAttribute('height'));
  const height = fill(discards.cards, 'height', rack / (shoe?.size || 52 * view.limits.decks), RACK);
  discards.cards.setAttribute('y', (bottom - height).toFixed(1));
}
