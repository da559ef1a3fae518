/* The prize wheel: drawn from its symbols, turned to the one it stopped at. */
import { svg } from './cards.js';

const COLOURS = ['#8c2f39', '#22577a', '#386641', '#6a4c93', '#9c6644'];

export class Wheel {
  constructor(root) {
    this.root = root;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
  }

  #draw(symbols) {
    const picture = svg('svg', { viewBox: '-110 -118 220 230', role: 'img', class: 'tw-wheel' });
    const disc = svg('g', { class: 'disc' });
    const step = (2 * Math.PI) / symbols.length;
    symbols.forEach((symbol, index) => {
      const [from, to] = [index * step - step / 2 - Math.PI / 2, index * step + step / 2 - Math.PI / 2];
      const large = step > Math.PI ? 1 : 0;
      const d = `M 0 0 L ${100 * Math.cos(from)} ${100 * Math.sin(from)} A 100 100 0 ${large} 1 ${100 * Math.cos(to)} ${100 * Math.sin(to)} Z`;
      disc.append(svg('path', { d, fill: COLOURS[index % COLOURS.length], stroke: '#e9d9a6' }));
      const text = svg('text', { x: 92, 'text-anchor': 'end', y: 4, transform: `rotate(${(index * 360) / symbols.length - 90})` }, symbol);
      disc.append(text);
    });
    disc.append(svg('circle', { r: 16, fill: '#e7c35a' }));
    picture.append(disc, svg('path', { d: 'M -9 -116 H 9 L 0 -96 Z', fill: '#e7c35a' }));
    return [picture, disc];
  }

  /** Turn the wheel until a symbol is under the pointer. */
  spin(symbols, symbol, says) {
    const index = Math.max(0, symbols.indexOf(symbol));
    const [picture, disc] = this.#draw(symbols);
    picture.append(svg('title', {}, says));
    this.root.replaceChildren(picture);
    this.root.hidden = false;
    const end = 360 * 4 - (index * 360) / symbols.length;
    disc.style.rotate = `${end}deg`;
    if (!this.calm.matches) disc.animate([{ rotate: '0deg' }, { rotate: `${end}deg` }], { duration: 2600, easing: 'cubic-bezier(.12,.6,.15,1)' });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.root.hidden = true; }, this.calm.matches ? 4000 : 5200);
  }
}
