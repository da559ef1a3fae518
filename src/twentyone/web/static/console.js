/* The consoles of dealer and floorperson: the next step with its words, and every irregularity as a guided action. */
import { chipOf, el, plain } from './dom.js';

export class Console {
  constructor(page) {
    this.page = page;
    this.root = page.part('console');
    this.last = '';
  }

  show(view) {
    if (!this.root) return;
    const role = view.you.role;
    if (!['dealer', 'floorperson', 'operator'].includes(role)) {
      this.root.hidden = true;
      return;
    }
    const now = JSON.stringify([view.next, view.phase, view.stopped, role]);
    if (now === this.last) return;
    this.last = now;
    this.root.hidden = false;
    const steps = view.next.filter((step) => step.role === role || role === 'operator');
    const waiting = view.next.filter((step) => !steps.includes(step));
    this.root.replaceChildren(
      el('h2', {}, `${role}'s next step`),
      ...(steps.length ? steps.map((step) => this.step(step)) : [el('p', { class: 'tw-note' }, waiting.length ? `Waiting for the ${waiting[0].role}: ${waiting[0].says}` : 'Nothing is due.')]),
      el('h2', {}, 'At any time'),
      this.guided(view),
    );
  }

  step(step) {
    const about = step.about ? ` (${plain(step.about)})` : '';
    return el('div', { class: 'tw-step' },
      el('button', { class: 'tw-button gold', type: 'button', 'data-do': step.do, onclick: () => this.give(step) }, plain(step.do) + about),
      el('span', {}, step.says), chipOf(step.cite, this.page.open));
  }

  give(step) {
    const args = step.do === 'decide' ? { action: step.says } : {};
    const wanted = this.page.view.fields?.[step.do] || [];
    if (wanted.length) return this.ask(step.do, wanted, args);
    return this.page.command(step.do, args);
  }

  guided(view) {
    const choose = el('select', { class: 'tw-field', 'aria-label': 'action' }, ...(view.actions || []).map((action) => el('option', { value: action.do + (action.name ? `:${action.name}` : '') }, action.says)));
    const go = el('button', { class: 'tw-button', type: 'button', onclick: () => {
      const [name, which] = choose.value.split(':');
      const action = view.actions.find((row) => row.do === name && (row.name || '') === (which || ''));
      this.ask(name, action.fields, which ? { name: which } : {}, action);
    } }, 'Begin');
    return el('div', { class: 'tw-row' }, choose, go);
  }

  /** A small form for what a command needs; nothing needed: it is given at once. */
  ask(name, fields, args = {}, action = null) {
    if (!fields.length) return this.page.command(name, args);
    const inputs = fields.map((field) => this.field(field));
    const form = el('form', { class: 'tw-form', onsubmit: (event) => {
      event.preventDefault();
      const given = { ...args };
      fields.forEach((field, index) => {
        const value = inputs[index].querySelector('input,select').value;
        if (value !== '') given[field.name] = field.type === 'int' ? Number(value) : field.type === 'bool' ? value === 'true' : value;
      });
      this.page.command(name, given);
      form.remove();
    } },
    el('h2', {}, plain(args.name || name)), action?.cite ? chipOf(action.cite, this.page.open) : null, ...inputs,
    el('button', { class: 'tw-button gold', type: 'submit' }, 'Do it'),
    el('button', { class: 'tw-button', type: 'button', onclick: () => form.remove() }, 'Leave it'));
    this.root.querySelector('.tw-form')?.remove();
    this.root.append(form);
    form.querySelector('input,select').focus();
    return undefined;
  }

  field({ name, type, choices }) {
    if (type === 'bool') choices = ['false', 'true'];
    const input = choices
      ? el('select', { class: 'tw-field', name }, ...choices.map((choice) => el('option', { value: choice }, plain(String(choice)))))
      : el('input', { class: 'tw-field', name, type: type === 'int' ? 'number' : 'text', autocomplete: 'off' });
    return el('label', { class: 'tw-label' }, plain(name), input);
  }
}
