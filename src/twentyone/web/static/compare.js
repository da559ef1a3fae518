/* A comparison that is being worked out: how far it is, and the page again when it is there. */
import { part } from './dom.js';
import { call } from './live.js';

/** Follow the computation until it is over. @param {HTMLElement} place */
async function follow(place) {
  const share = /** @type {HTMLProgressElement} */ (part(place, 'share'));
  let seen = 0;
  for (;;) {
    /** @type {{ state: string, share: number, changes: number } | null} */
    const job = await call('GET', `/jobs/${place.dataset.job}?seen=${seen}`).catch(() => null);
    if (!job || ['done', 'failed', 'cancelled'].includes(job.state)) break;
    share.value = job.share;
    seen = job.changes;
  }
  location.reload();
}

document.querySelectorAll('[data-part=redline]').forEach((place) => follow(/** @type {HTMLElement} */ (place)));
