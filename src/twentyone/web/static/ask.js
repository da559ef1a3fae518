/* Asks before something that cannot be taken back: a dialog with what is at stake. */
import { el } from './dom.js';

/**
 * What is chosen of the buttons; empty: to leave it as it is.
 * @param {string} title
 * @param {(Node | string)[]} inside
 * @param {string} stays What the button says that changes nothing.
 * @param {[value: string, label: string][]} ways
 * @returns {Promise<string>}
 */
export function asked(title, inside, stays, ways) {
  const buttons = ways.map(([value, label]) => el('button', { class: 'tw-button gold', value }, label));
  const dialog = el('dialog', { class: 'tw-panel tw-dialog', 'aria-labelledby': 'asked-title' },
    el('h2', { id: 'asked-title', class: 'tw-game' }, title), ...inside,
    el('form', { method: 'dialog', class: 'tw-row' }, el('button', { class: 'tw-button', value: '', autofocus: true }, stays), ...buttons));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue);
    });
  });
}
