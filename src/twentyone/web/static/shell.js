/* What every page can do: log in and out, select the light or dark theme; staff is told when the ledger is not signed. */
import { call } from './live.js';
import { ready } from './ready.js';

ready('.tw-theme', () => window.twentyoneTheme());

const ASK_EVERY = 60_000;

ready('[data-part=unsigned]', (alarm) => {
  const ask = async () => {
    // without the session: a page that only watches must not keep it alive
    const health = await fetch('/api/v1/health', { credentials: 'omit' }).then((answer) => answer.json()).catch(() => null);
    if (!health || health.signed === alarm.hidden) return;
    alarm.hidden = health.signed;
    if (health.signed) return;
    const { since, why } = await call('GET', '/signing').catch((refused) => ({ why: refused.message }));
    const when = since ? ` since ${new Date(since * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC` : '';
    alarm.textContent = `No checkpoint has been signed${when}: ${why}. It is tried again every minute.`;
  };
  ask();
  setInterval(ask, ASK_EVERY);
});

document.addEventListener('click', async (event) => {
  const act = event.target.closest?.('[data-act=logout]');
  if (!act) return;
  await call('POST', '/session/logout').catch(() => null);
  location.assign('/');
});

const READ = {
  integer: Number,
  boolean: (value) => value === 'true',
  json: JSON.parse,
  choices: (value) => (value.includes(', ') ? value.split(', ') : value),
};

/** The choices that differ from the defaults of the rulebook, and the keys entered as JSON. */
function submitted(form) {
  const { name, rulebook, cards, submission: written } = Object.fromEntries(new FormData(form));
  const submission = {};
  for (const { dataset, value } of form.querySelectorAll(`[data-book="${rulebook}"] [data-key]`)) {
    const chosen = value.trim();
    if (chosen === dataset.default) continue;
    const [group, reading] = dataset.key.split('.');
    if (reading) (submission.readings ??= {})[reading] = chosen;
    else submission[group] = chosen === '' ? null : (READ[dataset.type] || String)(chosen);
  }
  return { name, rulebook, cards, submission: { ...submission, ...JSON.parse(written || '{}') } };
}

document.addEventListener('submit', async (event) => {
  const form = event.target.closest('form[data-act]');
  if (!form) return;
  event.preventDefault();
  const given = Object.fromEntries(new FormData(form));
  const wrong = form.querySelector('[data-part=wrong]');
  try {
    if (form.dataset.act === 'login') await call('POST', '/session/login', given);
    if (form.dataset.act === 'open-table') await call('POST', '/tables', submitted(form));
    location.assign('/');
  } catch (refused) {
    wrong.textContent = refused.cite ? `${refused.why} (${refused.cite})` : refused.message;
  }
});
