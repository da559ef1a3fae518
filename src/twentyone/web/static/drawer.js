/* A drawer beside the page: how a game is played, without leaving the table. */
import { el, on } from './dom.js';

/** A part of another page of ours. @param {string} address @param {string} selector @returns {Promise<HTMLElement | null>} */
export async function partOf(address, selector) {
  const answer = await fetch(address);
  const found = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector(selector);
  return found && answer.ok ? document.importNode(/** @type {HTMLElement} */ (found), true) : null;
}

/** @param {HTMLElement} from What opened it: it has the focus again afterwards. @param {HTMLElement} content */
function openDrawer(from, content) {
  document.querySelector('.tw-drawer')?.remove();
  content.querySelectorAll('a').forEach((link) => link.setAttribute('target', '_blank'));
  const heading = content.querySelector('h1');
  const shut = el('button', { class: 'tw-button', type: 'button' }, 'Close');
  const drawer = el('div', { class: 'tw-drawer tw-panel', role: 'dialog', 'aria-label': heading?.textContent || '' }, shut, ...content.childNodes);
  const close = () => {
    drawer.remove();
    from.focus();
  };
  shut.addEventListener('click', close);
  drawer.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close();
  });
  document.body.append(drawer);
  shut.focus();
}

on('click', '[data-act=how]', async (/** @type {HTMLAnchorElement} */ link, event) => {
  const { ctrlKey, metaKey } = /** @type {MouseEvent} */ (event);
  if (ctrlKey || metaKey) return;
  event.preventDefault();
  const content = await partOf(link.href, 'main').catch(() => null);
  if (content) openDrawer(link, content);
  else location.assign(link.href);
});
