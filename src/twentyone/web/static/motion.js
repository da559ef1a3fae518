/* What lies on the layout, by its key: new things come from somewhere, what goes away goes where it belongs. */
import { svg } from './cards.js';
/** @import { Point, Spot } from './geometry.js' */

/** Where something comes from: a point, the card that lay there face down, or nowhere. @typedef {Point | 'turned' | null} From */
/** How something is laid. @typedef {{ at: Point | Spot, from?: From, faint?: boolean, about?: string }} Laid */

const TRAVEL = 180;
const REVEAL = 250;
const AWAY = 260;

export class Motion {
  /** What lies there. @type {Map<string, SVGGElement>} */
  known = new Map();
  /** What was laid since the last time. @type {Map<string, SVGGElement>} */
  laid = new Map();
  moves = false;

  constructor() {
    this.layer = svg('g', { class: 'tw-live' });
    this.defs = shadow();
    /** Over what the next thing is laid. @type {SVGElement} */
    this.uppermost = this.defs;
    this.layer.append(this.defs);
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
  }

  /** Begin to lay everything anew. @param {boolean} moves */
  begin(moves) {
    this.laid = new Map();
    this.uppermost = this.defs;
    this.moves = moves && !this.calm.matches;
  }

  /** Lay something under its key, which is drawn only if it does not lie there already. @param {string} key @param {() => SVGGElement} make @param {Laid} laid */
  put(key, make, { at, from = null, faint = false, about = '' }) {
    let element = this.known.get(key);
    if (!element) {
      element = make();
      if (this.moves) this.#come(element, at, from);
    }
    const scale = 'scale' in at && at.scale !== 1 ? ` scale(${at.scale.toFixed(3)})` : '';
    element.setAttribute('transform', `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})${scale}`);
    element.classList.toggle('faint', faint);
    element.dataset.about = about;
    this.laid.set(key, element);
    if (this.uppermost.nextSibling !== element) this.uppermost.after(element);
    this.uppermost = element;
  }

  /** Take away whatever was not laid again. @param {(key: string, element: SVGGElement) => Point | null} whither Where something goes; nothing: it is gone at once. */
  end(whither) {
    for (const [key, element] of this.known) if (!this.laid.has(key)) this.#away(element, this.moves ? whither(key, element) : null);
    this.known = this.laid;
  }

  /** @param {SVGGElement} element @param {Point} at @param {From} from */
  #come(element, at, from) {
    element.classList.toggle('turning', from === 'turned');
    if (from === 'turned') element.animate([{ scale: '0 1' }, { scale: '1 1' }], { duration: REVEAL, easing: 'ease-out' });
    else if (from) element.animate([{ translate: `${from.x - at.x}px ${from.y - at.y}px`, opacity: 0.4 }, { translate: '0 0', opacity: 1 }], { duration: TRAVEL, easing: 'ease-out' });
  }

  /** @param {SVGGElement} element @param {Point | null} target */
  #away(element, target) {
    if (!target) {
      element.remove();
      return;
    }
    const { x, y } = place(element);
    const gone = element.animate([{ translate: '0 0', opacity: 1 }, { translate: `${target.x - x}px ${target.y - y}px`, opacity: 0 }], { duration: AWAY, easing: 'ease-in', fill: 'forwards' });
    gone.finished.then(() => element.remove(), () => element.remove());
  }
}

/** Where a group is moved to. @param {Element} element @returns {Point} */
export const place = (element) => {
  const [, x, y] = (element.getAttribute('transform') || '').match(/translate\(([\d.-]+) ([\d.-]+)\)/) || [];
  return { x: Number(x || 0), y: Number(y || 0) };
};

function shadow() {
  const filter = svg('filter', { id: 'tw-shadow', x: '-30%', y: '-30%', width: '160%', height: '160%' });
  filter.append(svg('feDropShadow', { dx: 0, dy: 2, stdDeviation: 2.5, 'flood-opacity': 0.45 }));
  const defs = svg('defs');
  defs.append(filter);
  return defs;
}
