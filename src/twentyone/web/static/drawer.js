/* A drawer beside the table: how its game is played, without leaving it. */
import { on, part } from './dom.js';

/** @param {HTMLElement} drawer @param {boolean} open */
function turn(drawer, open) {
  drawer.hidden = !open;
  const from = /** @type {HTMLElement} */ (document.querySelector('[data-act=how]'));
  (open ? part(drawer, 'shut') : from).focus();
}

on('click', '[data-act=how]', () => turn(part(document, 'drawer'), true));
on('click', '[data-part=shut]', () => turn(part(document, 'drawer'), false));

document.querySelectorAll('[data-part=drawer]').forEach((drawer) => drawer.addEventListener('keydown', (event) => {
  event.stopPropagation();
  if (/** @type {KeyboardEvent} */ (event).key === 'Escape') turn(/** @type {HTMLElement} */ (drawer), false);
}));
