/* One click sits down. */
import { call } from './live.js';
import { toast } from './dom.js';

document.addEventListener('click', async (event) => {
  const link = event.target.closest?.('[data-act=sit]');
  if (!link) return;
  event.preventDefault();
  try {
    await call('POST', `/tables/${link.dataset.table}/sit`, { name: localStorage.getItem('twentyone_name') || 'Guest' });
    location.assign(link.href);
  } catch (wrong) {
    toast(wrong.why || wrong.message, null);
  }
});
