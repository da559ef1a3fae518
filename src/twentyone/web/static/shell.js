/* What every page can do: log in and out, wear light or dark. */
import { call } from './live.js';
import { ready } from './ready.js';

ready('.tw-theme', () => window.twentyoneTheme());

document.addEventListener('click', async (event) => {
  const act = event.target.closest?.('[data-act=logout]');
  if (!act) return;
  await call('POST', '/session/logout').catch(() => null);
  location.assign('/');
});

document.addEventListener('submit', async (event) => {
  const form = event.target.closest('form[data-act]');
  if (!form) return;
  event.preventDefault();
  const given = Object.fromEntries(new FormData(form));
  const wrong = form.querySelector('[data-part=wrong]');
  try {
    if (form.dataset.act === 'login') await call('POST', '/session/login', given);
    if (form.dataset.act === 'open-table') await call('POST', '/tables', { ...given, submission: JSON.parse(given.submission || '{}') });
    location.assign('/');
  } catch (refused) {
    wrong.textContent = refused.cite ? `${refused.why} (${refused.cite})` : refused.message;
  }
});
