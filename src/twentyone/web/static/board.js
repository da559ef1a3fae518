/* The analysis board: the replay with the value of a player's wagers beside it, luck and mistakes marked, and what if. */
import { ask, go } from './desk.js';
import { el, near, on, part, plain, saying, unbroken } from './dom.js';
import { call } from './live.js';
import { Replay } from './replay.js';
/** @import { BoardAnswer, Frame, ReviewStep, ToldFrame, View } from '../view.d.ts' */

const HALF = 100;

/** Dollars of an expectation, with their sign. @param {number} value */
const exact = (value) => {
  const shown = Math.abs(value).toFixed(4);
  return `${Number(shown) === 0 ? '' : value < 0 ? '−' : '+'}$${shown}`;
};

/** What a step did to the value, in dollars. @param {ReviewStep} step */
const moved = (step) => (step.luck_of === undefined ? -(step.cost_dollars || 0) : step.dollars || 0);

class Board extends Replay {
  /** @type {BoardAnswer | null} */
  answer = null;
  /** The value after each frame. @type {number[]} */
  worth = [];
  most = 1;

  /** @override */
  async begin() {
    const { job } = this.root.dataset;
    /** @type {{ body: BoardAnswer }} */
    const { body } = await call('GET', `/jobs/${job}/answer`);
    this.answer = body;
    this.asItWas();
    this.open();
  }

  /** Frames as a replay has them. @param {ToldFrame[]} told @param {View} view @returns {Frame[]} */
  whole(told, view) {
    return told.map(({ says, cite, boxes, dealer, exposed }) => ({ says, cite, view: { ...view, boxes, dealer, exposed } }));
  }

  /** Tell events with their marks, and the value after each. @param {ToldFrame[]} frames @param {{ at: number[], steps: ReviewStep[] }} review */
  line(frames, { at, steps }) {
    const { answer } = this;
    if (!answer) return;
    const marks = frames.map(() => /** @type {ReviewStep[]} */ ([]));
    steps.forEach((step, index) => {
      const after = frames.findIndex(({ event }) => event > at[index]);
      marks[Math.max(0, (after < 0 ? frames.length : after) - 1)].push(step);
    });
    let now = answer.players.find(({ player }) => player === answer.player)?.deal || 0;
    this.worth = marks.map((found) => (now += found.reduce((sum, step) => sum + moved(step), 0)));
    this.most = Math.max(1, ...this.worth.map(Math.abs));
    this.tell(this.whole(frames, answer.view), (_, index) => marks[index].map((step) => this.marked(step)));
  }

  /** Tell the round as it was. */
  asItWas() {
    const { answer } = this;
    if (!answer) return;
    const mine = answer.players.find(({ player }) => player === answer.player);
    this.branch('', false);
    this.line(answer.frames, { at: answer.at, steps: mine?.steps || [] });
  }

  /** A mark beside an event. @param {ReviewStep} step */
  marked(step) {
    const value = moved(step);
    const kind = exact(value).startsWith('−') ? 'loss' : 'win';
    if (step.luck_of !== undefined) return el('span', { class: `tw-mark ${kind}`, title: `luck of ${step.luck_of}` }, exact(value));
    const says = step.cost_dollars ? `✗ best ${plain(step.best || '')} ${exact(value)}` : '✓ best';
    return el('b', { class: `tw-mark ${step.cost_dollars ? 'loss' : 'win'}` }, says);
  }

  /** Say that another round than the real one is shown. @param {string} says @param {boolean} on */
  branch(says, on) {
    part(this.root, 'branch').replaceChildren(...unbroken(says));
    this.root.querySelector('[data-act=as-it-was]')?.toggleAttribute('hidden', !on);
    this.root.toggleAttribute('data-branch', on);
  }

  /** Show how the round goes on with another choice. @param {HTMLElement} button */
  whatIf({ dataset: { at, box, hand, choice = '' } }) {
    const { answer } = this;
    const end = answer?.what_ifs.find((one) => one.choice === choice && String(one.event) === at && String(one.box) === box && String(one.hand) === hand);
    if (!answer || !end) return;
    const before = answer.frames.filter(({ event }) => event < end.event);
    this.line([...before, ...end.frames], end);
    this.branch(`What if: ${plain(choice)} at event ${before.length + 1}. Net ${exact(Number(end.net)).slice(0, -2)}.`, true);
    this.show(before.length);
    part(this.root, 'stage').scrollIntoView({ block: 'nearest' });
    this.slider.focus({ preventScroll: true });
  }

  /** @override @param {Event} event */
  act(event) {
    super.act(event);
    const button = near(event, '[data-act]');
    if (button?.dataset.act === 'what-if') this.whatIf(button);
    if (button?.dataset.act === 'as-it-was') {
      this.asItWas();
      this.show(0);
    }
  }

  /** @override @param {number} at */
  show(at) {
    super.show(at);
    const worth = this.worth[this.at];
    const level = part(this.root, 'level');
    const high = worth === undefined ? 0 : (Math.abs(worth) / this.most) * HALF;
    level.setAttribute('y', String((worth || 0) > 0 ? HALF - high : HALF));
    level.setAttribute('height', String(high));
    level.classList.toggle('loss', (worth || 0) < 0);
    part(this.root, 'worth').textContent = worth === undefined ? '' : exact(worth);
  }
}

const page = /** @type {HTMLElement | null} */ (document.querySelector('[data-page=board]'));
if (page) new Board(page);

/** The text of a field of the form. @param {HTMLElement} place @param {string} name */
const given = (place, name) => /** @type {HTMLInputElement} */ (part(place, name)).value.trim();

on('click', '[data-act=analyse]', async (button) => {
  const place = /** @type {HTMLElement} */ (button.closest('[data-ask]'));
  const script = given(place, 'script');
  try {
    const { rulebook } = JSON.parse(script);
    const options = { player: given(place, 'player'), out: given(place, 'out') };
    place.dataset.ask = JSON.stringify({ kind: 'review', rulebook: String(rulebook || ''), script, options });
    /** @type {HTMLElement} */ (place.querySelector('progress')).hidden = false;
    if (await ask(place)) go(`${place.dataset.opens}${place.dataset.job}`);
  } catch (wrong) {
    part(place, 'wrong').hidden = false;
    part(place, 'wrong').textContent = `This is not a round script: ${saying(wrong)}`;
  }
});
