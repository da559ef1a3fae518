/* Accounts (open, unlock, change the password, remove) and coupons (issue, declare void). The page is loaded again to
   show the result. */
import { call } from './live.js';
import { toast } from './dom.js';

const at = (name) => `/accounts/${encodeURIComponent(name)}`;
const ASKS = {
  open: (_, given) => ['POST', '/accounts', given],
  password: (name, given) => ['PUT', `${at(name)}/password`, given],
  unlock: (name) => ['POST', `${at(name)}/unlock`],
  issue: (_, given) => ['POST', '/coupons', given],
  void: (name, given) => ['POST', `/coupons/${encodeURIComponent(name)}/void`, given],
  remove: (name) => ['DELETE', at(name)],
};

async function ask({ dataset }, given, refused) {
  try {
    await call(...ASKS[dataset.ask](dataset.name, given));
    location.reload();
  } catch (wrong) {
    refused(wrong.message);
  }
}

document.addEventListener('submit', (event) => {
  const form = event.target.closest('form[data-ask]');
  if (!form) return;
  event.preventDefault();
  const wrong = form.querySelector('[data-part=wrong]');
  ask(form, Object.fromEntries(new FormData(form)), (why) => { wrong.textContent = why; });
});

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('button[data-ask]');
  if (button) ask(button, undefined, (why) => toast(why));
});
