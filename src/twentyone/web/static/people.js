/* Accounts (open, unlock, change the password, remove) and coupons (issue, declare void). The page is loaded again to
   show the result. */
import { call } from './live.js';
import { on, part, saying, toast } from './dom.js';

/** @param {string} name */
const at = (name) => `/accounts/${encodeURIComponent(name)}`;

/** @type {Record<string, (name: string) => [method: string, path: string]>} */
const ASKS = {
  open: () => ['POST', '/accounts'],
  password: (name) => ['PUT', `${at(name)}/password`],
  unlock: (name) => ['POST', `${at(name)}/unlock`],
  issue: () => ['POST', '/coupons'],
  void: (name) => ['POST', `/coupons/${encodeURIComponent(name)}/void`],
  remove: (name) => ['DELETE', at(name)],
};

/** @param {HTMLElement} asked @param {unknown} given @param {(why: string) => void} refused */
async function ask({ dataset }, given, refused) {
  try {
    await call(...ASKS[dataset.ask || ''](dataset.name || ''), given);
    location.reload();
  } catch (wrong) {
    refused(saying(wrong));
  }
}

on('submit', 'form[data-ask]', (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  ask(form, Object.fromEntries(new FormData(form)), (why) => { part(form, 'wrong').textContent = why; });
});

on('click', 'button[data-ask]', (button) => ask(button, undefined, (why) => toast(why)));
