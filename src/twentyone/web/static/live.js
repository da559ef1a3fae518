/* The connection to the server: a WebSocket that reconnects by itself, and commands that are sent until they are answered,
   each with a key under which it is carried out once. */
/** @import { Args, Moved, Push, Sent } from '../view.d.ts' */

/** Statuses by which whoever stands before the server says that it is not there. */
const NOT_THERE = [0, 502, 503, 504];

/** Why the server did not do something: a sentence, and the paragraph if the law says so. */
export class Trouble extends Error {
  /** @param {number} status @param {{ why?: string, cite?: string, version?: number }} said */
  constructor(status, said) {
    super(said.why || (status ? `the server answers ${status}` : 'the server cannot be reached'));
    this.status = status;
    this.cite = said.cite || '';
    /** Whether nobody knows if it was done: the server itself has said nothing. */
    this.away = NOT_THERE.includes(status) && !said.why;
    /** Whether the table had moved on. */
    this.stale = status === 409 && typeof said.version === 'number';
  }
}

function token() {
  const cookie = document.cookie.split('; ').find((part) => /^(__Host-)?twentyone_csrf=/.test(part));
  return cookie ? decodeURIComponent(cookie.split('=')[1]) : '';
}

/** Say that something waits for a second person; nothing if it was done. @param {{ what?: string }} said */
export const awaited = ({ what }) => (what ? `Not done yet. An administrator has to approve it first: to ${what}.` : '');

/** A key under which a request is carried out once. */
export const newKey = () => (crypto.randomUUID ? crypto.randomUUID() : String(Math.random()));

/**
 * Ask the interface; what it answers has the type that the caller says.
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<T>}
 */
export async function call(method, path, body) {
  const answer = await fetch(`/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-csrf-token': token(), prefer: 'refusals=told' },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => null);
  if (!answer) throw new Trouble(0, {});
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok || said.refused) throw new Trouble(said.refused || answer.status, said);
  return said;
}

/** Load the page anew if the server, started again, has other scripts than these: only its own may be kept for good. */
async function loadOtherScripts() {
  const answer = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer && !answer.headers.get('cache-control')?.includes('immutable')) location.reload();
}

/** Commands that mean the same whatever happened in between: others may lay chips at the same time. All others are made
    for the version that is shown, so that a key pressed twice does not decide about a card that nobody has seen. */
const ANYWAY = ['place_wager', 'sit', 'seat_guest', 'buy_in', 'leave', 'consent', 'decline_cut'];

const STORED = 'twentyone_sent';

/** The command that a page sent and has no answer to, also over a reload of this tab: one that means the same at any time is
    not kept. @param {{ table: string, who: string, sent: Sent } | null} [given] @returns {{ table: string, who: string, sent: Sent } | null} */
const unanswered = (given) => {
  try {
    if (given && given.sent.version !== null) sessionStorage.setItem(STORED, JSON.stringify(given));
    else if (given === null) sessionStorage.removeItem(STORED);
    return JSON.parse(sessionStorage.getItem(STORED) || 'null');
  } catch {
    return null;
  }
};

export class Live {
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = 250;
  #lost = false;
  #under = 0;
  #answered = 0;
  #heard = 0;
  /** Those who wait for the server to be back. @type {(() => void)[]} */
  #pauses = [];
  #who = '';
  /** The command that is kept until the server is back. @type {Sent | null} */
  waiting = null;

  /** @param {string} table @param {{ onPush: (push: Push) => void, onLine: () => void }} told */
  constructor(table, { onPush, onLine }) {
    this.table = table;
    this.onPush = onPush;
    this.onLine = onLine;
    this.version = 0;
  }

  /** Whether the connection is lost. */
  get lost() {
    return this.#lost;
  }

  /** Whether no request is pending and the last response of the server is shown. */
  get settled() {
    return this.#under === 0 && this.version >= this.#answered;
  }

  /**
   * Send a request that changes the table; it is done once the page has received the change.
   * @param {() => Promise<Moved>} work
   */
  async during(work) {
    this.#under += 1;
    try {
      const answer = await work();
      this.#answered = Math.max(this.#answered, answer.version || 0);
      return answer;
    } finally {
      this.#under -= 1;
    }
  }

  /** Show what the page brought with it. @param {Push} push */
  begin(push) {
    this.#receive(push);
  }

  connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/tables/${this.table}/live?after=${this.version}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = 250;
      if (this.#lost) loadOtherScripts();
      this.#lost = false;
      this.onLine();
      for (const goOn of this.#pauses.splice(0)) goOn();
    };
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#receive(JSON.parse(message.data));
    };
    socket.onclose = (event) => {
      if (event.code === 4404 || socket !== this.#socket) return;
      if (event.code === 4401) location.reload();
      this.#lost = true;
      this.onLine();
      setTimeout(() => this.connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, 4000);
    };
  }

  /** Pass on what the server pushed: each line of the story once, also those that a new connection tells again. @param {Push} push */
  #receive(push) {
    const log = push.log?.filter((line) => line.n > this.#heard);
    this.#heard = log?.at(-1)?.n ?? this.#heard;
    this.version = push.view?.version ?? this.version;
    this.#who = push.view?.you.name ?? this.#who;
    this.onPush({ ...push, log });
  }

  /** Reconnect at once: the session belongs to another person now. */
  again() {
    const old = this.#socket;
    this.connect();
    old?.close();
  }

  /**
   * Give a command; it is sent with the same key until it is answered, so it is carried out once.
   * @param {string} name
   * @param {Args} args
   * @param {string} [player] The guest without a device for whom it is entered.
   */
  command(name, args, player) {
    return this.during(() => this.#give({ do: name, args, key: newKey(), version: ANYWAY.includes(name) ? null : this.version, player }));
  }

  /** Send what this tab sent before it was loaded again, and has no answer to; nothing if there is no such command of this person. */
  resume() {
    const { table, who, sent } = unanswered() || {};
    if (!sent || table !== this.table) return null;
    if (who === this.#who) return this.during(() => this.#give(sent));
    unanswered(null);
    return null;
  }

  /** @param {Sent} sent @returns {Promise<Moved>} */
  async #give(sent) {
    unanswered({ table: this.table, who: this.#who, sent });
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await call('POST', `/tables/${this.table}/commands`, sent);
        } catch (wrong) {
          if (!(wrong instanceof Trouble) || !wrong.away) throw wrong;
        }
        this.#keep(sent);
        await new Promise((goOn) => {
          this.#pauses.push(() => goOn(null));
          setTimeout(goOn, Math.min(300 * attempt, 3000));
        });
      }
    } finally {
      unanswered(null);
      this.#keep(null);
    }
  }

  /** @param {Sent | null} sent */
  #keep(sent) {
    if (sent === this.waiting) return;
    this.waiting = sent;
    this.onLine();
  }
}
