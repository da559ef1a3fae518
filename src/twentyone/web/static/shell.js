/* What every page can do: log in and out, choose a theme; staff is told what is wrong with the ledger. */
import { asked } from './ask.js';
import { el, kept, money, on, part, saying } from './dom.js';
import { call } from './live.js';
import './theme.js';

const ASK_EVERY = 60_000;
/** When somebody logged in or out in this browser: its other tabs follow. */
const SESSION = 'twentyone_session_at';
addEventListener('storage', ({ key }) => key === SESSION && location.reload());

/** The page to which a log-in leads: the one that asked for it, if it is ours. */
function back() {
  const wanted = URL.parse(new URLSearchParams(location.search).get('to') || '/', location.origin);
  return wanted?.origin === location.origin ? wanted.pathname + wanted.search : '/';
}

on('click', 'a[href="/login"]', (link) => {
  if (location.pathname !== '/') link.setAttribute('href', `/login?${new URLSearchParams({ to: location.pathname + location.search })}`);
});

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

/** Whether a guest gives up his name and what goes with it. */
async function givesUp() {
  /** @type {{ name: string, purse: string | null, at_tables: Record<string, string> | null } | null} */
  const me = await call('GET', '/me').catch(() => null);
  if (!me) return true;
  const chips = [me.purse || '0', ...Object.values(me.at_tables || {})].reduce((sum, amount) => sum + Number(amount), 0);
  const lost = [`${money(chips)} of play money`, 'your rounds, your account of skill and luck', 'your progress in the trainer'];
  const says = el('p', {}, `You are a guest: “${me.name}” ends with this session, and nobody can come back under it. You lose`);
  return await asked('Log out?', [says, el('ul', {}, ...lost.map((each) => el('li', {}, each)))], 'Stay', [['out', 'Log out and lose it']]) === 'out';
}

on('click', '[data-act=logout]', async (button) => {
  if ('guest' in button.dataset && !await givesUp()) return;
  await call('POST', '/session/logout').catch(() => null);
  kept(SESSION, String(Date.now()));
  location.assign('/');
});

on('submit', 'form[data-act=name]', async (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  try {
    await call('POST', '/session/guest', Object.fromEntries(new FormData(form)));
    kept(SESSION, String(Date.now()));
    location.assign(location.pathname === '/login' ? back() : location.href);
  } catch (wrong) {
    part(form, 'wrong').textContent = saying(wrong);
  }
});

on('submit', 'form[data-act=login]', async (/** @type {HTMLFormElement} */ form, event) => {
  event.preventDefault();
  try {
    await call('POST', '/session/login', Object.fromEntries(new FormData(form)));
    kept(SESSION, String(Date.now()));
    location.assign(back());
  } catch (wrong) {
    part(form, 'wrong').textContent = saying(wrong);
  }
});
