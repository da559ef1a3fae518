/* Forms and buttons of the staff's pages: accounts, coupons, sessions, backups, paces and limits. The page is loaded
   again to show the result. */
import { awaited, call, newKey } from './live.js';
import { on, part, saying, toast } from './dom.js';

/** @param {string} name */
const at = (name) => `/accounts/${encodeURIComponent(name)}`;

/** @type {Record<string, (name: string) => [method: string, path: string]>} */
const ASKS = {
  open: () => ['POST', '/accounts'],
  password: (name) => ['PUT', `${at(name)}/password`],
  role: (name) => ['PUT', `${at(name)}/role`],
  'drop-factor': (name) => ['DELETE', `${at(name)}/factor`],
  approve: (name) => ['POST', `/approvals/${name}`],
  decline: (name) => ['DELETE', `/approvals/${name}`],
  'own-password': () => ['PUT', '/me/password'],
  factor: () => ['POST', '/me/factor'],
  confirm: () => ['PUT', '/me/factor'],
  'remove-factor': () => ['DELETE', '/me/factor'],
  stop: () => ['PUT', '/house/stop'],
  resume: () => ['DELETE', '/house/stop'],
  unlock: (name) => ['POST', `${at(name)}/unlock`],
  issue: () => ['POST', '/coupons'],
  void: (name) => ['POST', `/coupons/${encodeURIComponent(name)}/void`],
  remove: (name) => ['DELETE', at(name)],
  session: (name) => ['DELETE', `/sessions/${name}`],
  backup: () => ['POST', '/backups'],
  pace: (name) => ['PUT', `/tables/${name}/staff`],
  limit: (name) => ['POST', `/tables/${name}/commands`],
};

/** What is sent, where that is not the form as it stands. @type {Record<string, (given: Record<string, unknown>, about: string) => unknown>} */
const SENT = {
  pace: ({ pace, ...clocks }) => ({ pace, ...Object.fromEntries(Object.entries(clocks).map(([name, seconds]) => [name, Number(seconds)])) }),
  limit: ({ amount }, about) => ({ do: 'set_limit', args: { about, amount }, key: newKey() }),
};

/** Recovery codes are told once: the page shows them instead of the form. @param {HTMLElement} form @param {string[]} codes */
function showCodes(form, codes) {
  const shown = part(document, 'recovery');
  part(shown, 'codes').textContent = codes.join('\n');
  form.hidden = true;
  shown.hidden = false;
  shown.focus();
}

/** @param {HTMLElement} asked @param {unknown} given @param {(why: string) => void} refused */
async function ask(asked, given, refused) {
  const { dataset } = asked;
  try {
    /** @type {{ codes?: string[], what?: string }} */
    const said = await call(...ASKS[dataset.ask || ''](dataset.name || ''), given);
    if (said.codes) {
      showCodes(asked, said.codes);
      return;
    }
    if (awaited(said) && ['issue', 'limit'].includes(dataset.ask || '')) {
      refused(awaited(said));
      return;
    }
    const around = asked.closest('details[id]');
    if (around) history.replaceState(null, '', `#${around.id}`);
    location.reload();
  } catch (wrong) {
    refused(saying(wrong));
  }
}

on('submit', 'form[data-ask]', (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  const given = Object.fromEntries(new FormData(form));
  const sent = SENT[form.dataset.ask || '']?.(given, form.dataset.about || '') ?? given;
  ask(form, sent, (why) => { part(form, 'wrong').textContent = why; });
});

on('click', 'button[data-ask]', async (/** @type {HTMLButtonElement} */ button) => {
  button.disabled = true;
  await ask(button, undefined, (why) => toast(why));
  button.disabled = false;
});

const worked = document.getElementById(location.hash.slice(1));
if (worked instanceof HTMLDetailsElement) worked.open = true;
