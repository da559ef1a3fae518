/* The page of a submission: copy its file. */
import { on, part } from './dom.js';

on('click', '[data-act=copy]', async () => {
  const file = part(document, 'toml');
  getSelection()?.selectAllChildren(file);
  const done = await navigator.clipboard?.writeText(file.textContent || '').then(() => true, () => false);
  part(document, 'copied').textContent = done ? 'Copied.' : 'Selected: copy it with the keyboard.';
});
