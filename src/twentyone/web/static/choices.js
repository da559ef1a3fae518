/* What the controls of a submission say. */

/** @type {Record<string, (value: string) => unknown>} */
const READ = {
  integer: Number,
  boolean: (value) => value === 'true',
  json: (value) => JSON.parse(value),
  choices: (value) => (value.includes(', ') ? value.split(', ') : value),
};

/** The choices that differ from the defaults of the rulebook. @param {HTMLElement} controls */
export function chosen(controls) {
  /** @type {Record<string, unknown>} */
  const submission = {};
  /** @type {Record<string, string>} */
  const readings = {};
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>} */
  const fields = controls.querySelectorAll('[data-key]');
  for (const { dataset, value } of fields) {
    const said = value.trim();
    if (said === dataset.default) continue;
    const [key, reading] = (dataset.key || '').split('.');
    if (reading) readings[reading] = said;
    else submission[key] = said === '' ? null : (READ[dataset.type || ''] || String)(said);
  }
  return Object.keys(readings).length ? { ...submission, readings } : submission;
}
