/* The felt with what lies on it: a pure drawing of one view. What is new since the last view travels. */
import { CARD, badge, card, chip, svg } from './cards.js';

const DEALER = { x: 720, y: 62 };
const SHOE = { x: 1177, y: 82 };
const TRAY = { x: 720, y: 20 };
const SMALL = 46;

export class Felt {
  constructor(root) {
    this.svg = root.querySelector('svg');
    this.layer = svg('g', { class: 'tw-live' });
    this.layer.append(this.#shadow());
    this.svg.append(this.layer);
    this.known = new Map();
    this.areas = new Map([...this.svg.querySelectorAll('g.dealer-area')].map((g) => [g.dataset.range, g]));
    this.places = new Map([...this.svg.querySelectorAll('g.box')].map((g) => [Number(g.dataset.box), this.#place(g)]));
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
  }

  #shadow() {
    const filter = svg('filter', { id: 'tw-shadow', x: '-30%', y: '-30%', width: '160%', height: '160%' });
    filter.append(svg('feDropShadow', { dx: 0, dy: 2, stdDeviation: 2.5, 'flood-opacity': 0.45 }));
    const defs = svg('defs');
    defs.append(filter);
    return defs;
  }

  #place(group) {
    const [, x, y, lean] = group.getAttribute('transform').match(/translate\(([\d.-]+) ([\d.-]+)\) rotate\(([\d.-]+)\)/);
    const sides = new Map();
    for (const area of group.querySelectorAll('[data-wager]')) {
      const found = (area.getAttribute('transform') || 'translate(0 0)').match(/translate\(([\d.-]+) ([\d.-]+)\)/);
      if (!sides.has(area.dataset.wager)) sides.set(area.dataset.wager, this.#turn(Number(found[1]), Number(found[2]), Number(lean)));
    }
    return { x: Number(x), y: Number(y), sides, group };
  }

  #turn(x, y, degrees) {
    const a = (degrees * Math.PI) / 180;
    return { x: x * Math.cos(a) - y * Math.sin(a), y: x * Math.sin(a) + y * Math.cos(a) };
  }

  /** Draw a view; `animate` lets new cards travel from the shoe. */
  render(view, animate = true) {
    const seen = new Map();
    const move = animate && !this.calm.matches;
    const put = (key, make, x, y, from = SHOE) => {
      let element = this.known.get(key);
      if (!element) {
        element = make();
        this.layer.append(element);
        if (move) element.animate([{ translate: `${from.x - x}px ${from.y - y}px`, opacity: 0.4 }, { translate: '0 0', opacity: 1 }], { duration: 180, easing: 'ease-out' });
      }
      element.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      seen.set(key, element);
      this.layer.append(element);
    };
    this.#dealer(view, put);
    for (const box of view.boxes) this.#box(view, box, put);
    for (const [key, element] of this.known) if (!seen.has(key)) this.#away(element, key, move);
    this.known = seen;
    this.#devices(view);
    this.#turnOf(view);
  }

  #away(element, key, move) {
    if (!move || !(key.startsWith('chip') || key.startsWith('card'))) return element.remove();
    const target = key.startsWith('chip') ? TRAY : { x: 252, y: 82 };
    const [, x, y] = element.getAttribute('transform').match(/translate\(([\d.-]+) ([\d.-]+)\)/);
    const gone = element.animate([{ translate: '0 0', opacity: 1 }, { translate: `${target.x - x}px ${target.y - y}px`, opacity: 0 }], { duration: 260, easing: 'ease-in', fill: 'forwards' });
    gone.finished.then(() => element.remove(), () => element.remove());
    return undefined;
  }

  #dealer(view, put) {
    const { cards, range } = view.dealer;
    const area = range && this.areas.get(range);
    const at = area ? Number(area.getAttribute('transform').match(/translate\(([\d.]+)/)[1]) - 60 : DEALER.x - 70;
    const step = cards.length > 4 ? 34 : cards.length > 2 ? 48 : 76;
    cards.forEach((code, index) => put(`card-d-${index}-${code}`, () => card(code), at + index * (area ? 40 : step), DEALER.y));
    const { total, soft } = view.dealer;
    const says = total !== null && total !== undefined ? `${soft ? 'soft ' : ''}${total}` : '';
    if (says) put(`total-d-${says}`, () => badge(says), at + (cards.length - 1) * (area ? 40 : step) + CARD.width + 40, DEALER.y + 44);
    for (const [name, group] of this.areas) group.classList.toggle('lit', name === range);
  }

  #box(view, box, put) {
    const place = this.places.get(box.box);
    if (!place) return;
    const hands = box.hands.length ? box.hands : [];
    const width = hands.length > 1 ? Math.min(104, 250 / hands.length + 16) : 0;
    hands.forEach((hand, index) => {
      const x = place.x + (index - (hands.length - 1) / 2) * width * -1;
      this.#hand(view, box, hand, index, x, place.y, put);
    });
    if (!hands.length) this.#placed(box, place, put);
    this.#sides(box, place, put, hands.length > 0);
  }

  #hand(view, box, hand, index, x, y, put) {
    const step = hand.cards.length > 4 ? 15 : hand.cards.length > 2 ? 20 : 26;
    const left = x - (CARD.width + step * (hand.cards.length - 1)) / 2;
    const top = y - 58 - CARD.height - 4;
    hand.cards.forEach((code, number) => put(`card-${box.box}-${index}-${number}-${code}`, () => card(code), left + number * step, top));
    const open = hand.results.length === 0;
    if (hand.cards.length) {
      const says = `${hand.soft && hand.total <= 21 ? 'soft ' : ''}${hand.total}`;
      put(`total-${box.box}-${index}-${says}`, () => badge(says), x, y - 62);
    }
    hand.wagers.forEach((wager, number) => {
      const laid = Object.entries(wager).filter(([key]) => key !== 'player');
      if (open) laid.forEach(([key, amount], layer) => put(`chip-${box.box}-${index}-${wager.player}-${key}-${amount}`, () => chip(amount, `${wager.player}: ${key.replaceAll('_', ' ')}`), x + number * 26 + layer * 16, y - layer * 6, { x, y: y + 110 }));
    });
    if (!open) this.#result(hand.results, `${box.box}-${index}`, x, y, put);
  }

  #result(results, key, x, y, put) {
    const net = results.reduce((sum, row) => sum + Number(row.net), 0);
    const words = net > 0 ? `+$${net}` : net < 0 ? `−$${-net}` : results[0].outcome;
    put(`result-${key}-${words}`, () => badge(words, net > 0 ? 'won' : net < 0 ? 'lost' : ''), x, y, TRAY);
  }

  #placed(box, place, put) {
    const mains = new Map();
    for (const row of box.placed) if (row.wager === 'main') mains.set(row.player, (mains.get(row.player) || 0) + Number(row.amount));
    [...mains].forEach(([player, amount], index) => put(`chip-${box.box}-p-${player}-${amount}`, () => chip(amount, player), place.x + index * 26, place.y, { x: place.x, y: place.y + 110 }));
  }

  #sides(box, place, put, dealt) {
    const rows = dealt ? box.sides : box.placed.filter((row) => row.wager !== 'main');
    for (const row of rows) {
      const at = place.sides.get(row.wager) || { x: -60, y: 30 };
      if (!row.settled) put(`chip-${box.box}-s-${row.wager}-${row.player}-${row.amount}`, () => chip(row.amount, `${row.player}: ${row.wager.replaceAll('_', ' ')}`), place.x + at.x, place.y + at.y, { x: place.x, y: place.y + 110 });
    }
    if (box.results.length) {
      const at = place.sides.get(box.results[0].wager) || { x: 0, y: SMALL };
      this.#result(box.results, `${box.box}-side`, place.x + at.x, place.y + at.y, put);
    }
  }

  #devices(view) {
    const labels = [...this.svg.querySelectorAll('g.equipment .label')];
    const find = (word) => labels.find((label) => label.dataset.name === word || label.textContent.startsWith(word));
    const shoe = find('shoe');
    if (shoe) {
      shoe.dataset.name = 'shoe';
      shoe.textContent = view.shoe ? `shoe · ${view.shoe.left} of ${view.shoe.size}` : 'shoe';
      const cards = shoe.parentNode.querySelector('.cards');
      if (view.shoe && cards) cards.setAttribute('width', Math.max(2, (72 * view.shoe.left) / view.shoe.size).toFixed(1));
    }
    const rack = find('discard rack');
    if (rack) {
      rack.dataset.name = 'discard rack';
      rack.textContent = `discard rack · ${view.rack}`;
    }
  }

  #turnOf(view) {
    const turn = view.offer && view.offer.box;
    for (const [number, place] of this.places) {
      place.group.classList.toggle('turn', number === turn);
      place.group.classList.toggle('mine', view.you.boxes.includes(number));
    }
  }

  /** Show only the part of the table around these boxes: for a narrow screen. */
  focus(boxes) {
    const all = [...this.places.values()];
    const some = boxes.map((box) => this.places.get(box)).filter(Boolean);
    const xs = (some.length ? some : all.slice(2, 5)).map((place) => place.x);
    const middle = xs.reduce((sum, x) => sum + x, 0) / xs.length;
    const width = 760;
    const left = Math.min(Math.max((middle + 2 * 720) / 3 - width / 2, 40), 1400 - width);
    this.svg.setAttribute('viewBox', `${left.toFixed(0)} 10 ${width} 800`);
  }

  whole() {
    this.svg.setAttribute('viewBox', '0 0 1440 860');
  }
}
