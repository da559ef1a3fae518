/* Where everything lies on the layout, in the units of its picture: numbers only, nothing is drawn here. A card shows at
   least its corner with rank and suit; hands, badges and chips of a box lie in a block of their own that meets no other. */

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Rect */
/** What a hand needs: its cards, how many of them lie sideways. @typedef {{ count: number, sideways: number }} Wanted */
/** A place with its size: how much smaller than usual things are drawn there. @typedef {Point & { scale: number }} Spot */
/** Where a hand lies: its cards and their size, the size of the rest, the upper edge of its badge, the room of its chips unless they lie on the main area. @typedef {{ x: number, top: number, width: number, scale: number, rest: number, cards: Point[], badge: Point, chips: Rect | null }} Slot */
/** Where the hands of a box lie. @typedef {{ rect: Rect, slots: Slot[] }} Block */
/** A box that has hands, and what they must not cover. @typedef {Point & { hands: Wanted[], walls: Rect[] }} Demand */

export const CARD = { width: 87, height: 123 };
/** How much of a card shows under the next one: its corner. */
export const CORNER = { x: 38, y: 64 };
/** How much of a card that lies sideways shows above the next one. */
const STRIP = 40;
/** The room of one stack of chips. */
export const CELL = 52;
/** The height of a badge with a total and a result. */
const BADGE = 50;
const POINTER = 18;
const BETWEEN = 10;
const FELT = { x: 720, y: 30, across: 652, down: 756, top: 34 };
const SIZES = [1, 0.92, 0.84, 0.77, 0.7, 0.64, 0.58, 0.52, 0.47, 0.42, 0.38, 0.34, 0.3, 0.26, 0.22];
const ASIDE = [0, 12, -12, 24, -24, 36, -36, 48, -48, 60, -60, 80, -80, 100, -100, 120, -120];

/** @param {Rect} one @param {Rect} other */
export const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** A rectangle around a point. @param {Point} middle @param {number} width @param {number} height @returns {Rect} */
export const around = ({ x, y }, width, height = width) => ({ left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 });

/** @param {Point} point @param {number} degrees @returns {Point} */
export function turned({ x, y }, degrees) {
  const a = (degrees * Math.PI) / 180;
  return { x: x * Math.cos(a) - y * Math.sin(a), y: x * Math.sin(a) + y * Math.cos(a) };
}

/** Whether a rectangle lies on the cloth. @param {Rect} rect */
const onCloth = ({ left, top, right, bottom }) => top >= FELT.top && [left, right].every((x) => ((x - FELT.x) / FELT.across) ** 2 + ((bottom - FELT.y) / FELT.down) ** 2 < 1);

/** A hand with so many cards in a row, the sideways ones across the others at its end: each shows its corner. @param {Wanted} hand @param {number} across */
export function fan({ count, sideways }, across) {
  const upright = count - sideways;
  const columns = Math.min(upright, across);
  const rows = Math.ceil(upright / across);
  const at = Array.from({ length: upright }, (_, number) => ({ x: (number % across) * CORNER.x, y: Math.floor(number / across) * CORNER.y }));
  const tall = sideways ? CARD.width + (sideways - 1) * STRIP : 0;
  const height = Math.max(CARD.height + Math.max(rows - 1, 0) * CORNER.y, tall);
  for (let number = 0; number < sideways; number += 1) at.push({ x: columns * CORNER.x, y: height - tall + number * STRIP });
  return { at, height, width: sideways ? columns * CORNER.x + CARD.height : CARD.width + Math.max(columns - 1, 0) * CORNER.x };
}

/** Places for so many stacks in a room, as large as they fit, none over another. @param {number} count @param {Rect} room @returns {Spot[]} */
export function grid(count, { left, top, right, bottom }) {
  const fits = (/** @type {number} */ columns) => Math.min(1, (right - left) / (CELL * columns), (bottom - top) / (CELL * Math.ceil(count / columns)));
  const columns = Array.from({ length: count }, (_, number) => number + 1).reduce((best, each) => (fits(each) > fits(best) ? each : best), 1);
  const scale = fits(columns);
  const rows = Math.ceil(count / columns);
  return Array.from({ length: count }, (_, number) => ({
    x: (left + right) / 2 + ((number % columns) - (Math.min(columns, count) - 1) / 2) * CELL * scale,
    y: (top + bottom) / 2 + (Math.floor(number / columns) - (rows - 1) / 2) * CELL * scale,
    scale,
  }));
}

/** How the hands of a box lie, but not yet where: so large, with so many cards in a row. @typedef {{ scale: number, rest: number, fans: ReturnType<typeof fan>[], widths: number[], width: number, height: number, bottom: number, badge: number, top: number }} Shape */

/** @param {Demand} box @param {number} scale @param {ReturnType<typeof fan>[]} fans @returns {Shape} */
function shape(box, scale, fans) {
  const several = fans.length > 1;
  const rest = several ? scale : 1;
  const widths = fans.map(({ width }) => (several ? Math.max(width, 92) * scale : Math.max(width * scale, 120)));
  const width = widths.reduce((sum, each) => sum + each, 0) + (widths.length - 1) * BETWEEN * scale;
  const height = Math.max(...fans.map((each) => each.height)) * scale;
  const bottom = several ? box.y - 20 : box.y - 27;
  const badge = bottom - ((several ? CELL : 0) + BADGE) * rest;
  return { scale, rest, fans, widths, width, height, bottom, badge, top: badge - 3 - height - POINTER * rest };
}

/** The room of a shape, so far beside its box. @param {Demand} box @param {Shape} found @param {number} aside @returns {Rect} */
const roomOf = (box, { width, top, bottom }, aside) => ({ left: box.x + aside - width / 2, right: box.x + aside + width / 2, top, bottom });

/** The hands of a box side by side, the first at the right. @param {Way} way @returns {Block} */
function block({ found, rect }) {
  const { scale, rest, fans, widths, bottom, badge } = found;
  let right = rect.right;
  const slots = fans.map((each, index) => {
    const x = right - widths[index] / 2;
    right -= widths[index] + BETWEEN * scale;
    const top = badge - 3 - each.height * scale;
    const cards = each.at.map((at) => ({ x: x - (each.width * scale) / 2 + at.x * scale, y: top + at.y * scale }));
    const room = { left: x - widths[index] / 2, right: x + widths[index] / 2, top: bottom - CELL * scale, bottom };
    return { x, top, width: widths[index], scale, rest, cards, badge: { x, y: badge }, chips: fans.length > 1 ? room : null };
  });
  return { rect, slots };
}

/** The room for so many stacks on the main area of a box: between its badge and the areas beside it. @param {Point} box @param {number} stacks @returns {Rect} */
export const circle = ({ x, y }, stacks) => around({ x, y: stacks > 2 ? y + 5 : y }, stacks > 2 ? 82 : 100, stacks > 2 ? 62 : 52);

/** One way to lay the hands of a box. @typedef {{ found: Shape, rect: Rect }} Way */

/** All ways in which the hands of a box may lie without covering what they must not: large ones first, then in fewer columns, then aside. @param {Demand} box @returns {Generator<Way, void>} */
function* ways(box) {
  const most = Math.min(6, Math.max(1, ...box.hands.map(({ count, sideways }) => count - sideways)));
  const fans = Array.from({ length: most }, (_, number) => box.hands.map((hand) => fan(hand, number + 1)));
  for (const scale of SIZES) {
    const least = scale > 0.6 ? Math.ceil(most / 3) : 1;
    for (let across = most; across >= least; across -= 1) {
      const found = shape(box, scale, fans[across - 1]);
      for (const aside of ASIDE) {
        const rect = roomOf(box, found, aside);
        if (onCloth(rect) && !box.walls.some((wall) => meet(wall, rect))) yield { found, rect };
      }
    }
  }
}

/** The smallest way, where no other is left. @param {Demand} box @returns {Way} */
function smallest(box) {
  const found = shape(box, SIZES[SIZES.length - 1], box.hands.map((hand) => fan(hand, 1)));
  return { found, rect: roomOf(box, found, 0) };
}

/** @param {Rect} rect */
const size = ({ left, top, right, bottom }) => (right - left) * (bottom - top);

/** Lay the hands of all boxes so that no block meets another: of two that meet, the larger one gives way. @param {Demand[]} boxes @returns {Block[]} */
export function arrange(boxes) {
  const left = boxes.map((box) => ways(box));
  const found = boxes.map((box, index) => left[index].next().value || smallest(box));
  const clash = () => {
    for (let one = 0; one < found.length; one += 1) {
      for (let other = one + 1; other < found.length; other += 1) if (meet(found[one].rect, found[other].rect)) return [one, other];
    }
    return null;
  };
  for (let pair = clash(); pair; pair = clash()) {
    const yields = pair.toSorted((one, other) => size(found[other].rect) - size(found[one].rect)).find((index) => {
      const next = left[index].next().value;
      if (next) found[index] = next;
      return next;
    });
    if (yields === undefined) break;
  }
  return found.map(block);
}
