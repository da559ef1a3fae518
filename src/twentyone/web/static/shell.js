/* What every page can do: log in and out, choose a theme; staff is told what is wrong with the ledger. */
import { el, money, on, part, saying } from './dom.js';
import { call } from './live.js';
import './theme.js';

const ASK_EVERY = 60_000;

/** Show what is wrong with the ledger. @param {HTMLElement} alarm */
async function tellTrouble(alarm) {
  /** @type {{ signed: boolean, stopped: string[] } | null} */
  const health = await call('GET', '/health').catch(() => null);
  if (!health) return;
  const says = health.stopped.map((why) => `No further round is dealt: ${why}.`);
  if (!health.signed) {
    /** @type {{ since?: number, why: string }} */
    const { since, why } = await call('GET', '/signing').catch((wrong) => ({ why: saying(wrong) }));
    const when = since ? ` since ${new Date(since * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';
    says.push(`No checkpoint has been signed${when}: ${why}. It is tried again every minute.`);
  }
  alarm.textContent = says.join(' ');
  alarm.hidden = !says.length;
}

document.querySelectorAll('[data-part=unsigned]').forEach((found) => {
  const alarm = /** @type {HTMLElement} */ (found);
  tellTrouble(alarm);
  setInterval(() => tellTrouble(alarm), ASK_EVERY);
});

/** Say where a player's chips are, with a way back to each seat. @param {HTMLElement} place */
async function tellMoney(place) {
  /** @type {{ purse: string | null, at_tables: Record<string, string> | null } | null} */
  const me = await call('GET', '/me').catch(() => null);
  if (!me?.at_tables) return;
  const seats = Object.entries(me.at_tables);
  const purse = Number(me.purse) || !seats.length ? el('span', {}, `${money(me.purse || 0)} in your purse`) : null;
  const away = seats.filter(([name, amount]) => Number(amount) && `/table/${name}` !== location.pathname);
  place.replaceChildren(...[purse, ...away.map(([name, amount]) => el('a', { href: `/table/${name}`, title: 'return to your seat' }, `${money(amount)} at ${name}`))].filter((each) => each !== null));
}

/** On the page of a table chips come and go: ask again whenever he sits down or leaves. @param {HTMLElement} place */
function followMoney(place) {
  const purse = part(document, 'purse');
  const seated = () => (purse.textContent || '').includes('$');
  let before = seated();
  new MutationObserver(() => {
    if (seated() === before) return;
    before = !before;
    tellMoney(place);
  }).observe(purse, { childList: true, characterData: true, subtree: true });
}

document.querySelectorAll('[data-part=money]').forEach((found) => followMoney(/** @type {HTMLElement} */ (found)));

on('click', '[data-act=logout]', async () => {
  await call('POST', '/session/logout').catch(() => null);
  location.assign('/');
});

on('submit', 'form[data-act=login]', async (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  try {
    await call('POST', '/session/login', Object.fromEntries(new FormData(form)));
    location.assign('/');
  } catch (wrong) {
    part(form, 'wrong').textContent = saying(wrong);
  }
});
