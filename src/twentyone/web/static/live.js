/* The connection to the server: a WebSocket that reconnects by itself, and commands with idempotency keys. */
/** @import { Args, Moved, Push } from '../view.d.ts' */

/** Why the server did not do something: a sentence, and the paragraph if the law says so. */
export class Trouble extends Error {
  /** @param {number} status @param {{ why?: string, cite?: string }} said */
  constructor(status, said) {
    super(said.why || `the server answers ${status}`);
    this.status = status;
    this.cite = said.cite || '';
  }
}

function token() {
  const cookie = document.cookie.split('; ').find((part) => part.startsWith('twentyone_csrf='));
  return cookie ? decodeURIComponent(cookie.split('=')[1]) : '';
}

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
    headers: { 'content-type': 'application/json', 'x-csrf-token': token() },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Trouble(answer.status, said);
  return said;
}

/** Load the page anew if the server, started again, has other scripts than these: only its own may be kept for good. */
async function loadOtherScripts() {
  const answer = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (answer && !answer.headers.get('cache-control')?.includes('immutable')) location.reload();
}

/** Commands that mean the same whatever happened in between: others may lay chips at the same time. All others are made
    for the version that is shown, so that a key pressed twice does not decide about a card that nobody has seen. */
const ANYWAY = ['place_wager', 'sit', 'seat_guest', 'buy_in', 'leave', 'consent'];

export class Live {
  /** @type {WebSocket | null} */
  #socket = null;
  #wait = 250;
  #lost = false;
  #under = 0;
  #answered = 0;

  /** @param {string} table @param {{ onPush: (push: Push) => void, onLine: (on: boolean) => void }} told */
  constructor(table, { onPush, onLine }) {
    this.table = table;
    this.onPush = onPush;
    this.onLine = onLine;
    this.version = 0;
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

  connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/tables/${this.table}/live?after=${this.version}`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#wait = 250;
      this.onLine(true);
      if (this.#lost) loadOtherScripts();
      this.#lost = false;
    };
    socket.onmessage = (message) => {
      /** @type {Push} */
      const push = JSON.parse(message.data);
      if (push.view) this.version = push.view.version;
      this.onPush(push);
    };
    socket.onclose = (event) => {
      if (event.code === 4404 || socket !== this.#socket) return;
      this.onLine(false);
      this.#lost = true;
      setTimeout(() => this.connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, 4000);
    };
  }

  /** Reconnect at once: the session belongs to another person now. */
  again() {
    const old = this.#socket;
    this.connect();
    old?.close();
  }

  /**
   * Give a command; after a lost connection it is sent again with the same key, so it is carried out once.
   * @param {string} name
   * @param {Args} args
   * @param {string} [player] The guest without a device for whom it is entered.
   */
  command(name, args, player) {
    return this.during(() => this.#give(name, args, player));
  }

  /** @param {string} name @param {Args} args @param {string} [player] @returns {Promise<Moved>} */
  async #give(name, args, player) {
    const body = { do: name, args, key: newKey(), version: ANYWAY.includes(name) ? null : this.version, player };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call('POST', `/tables/${this.table}/commands`, body);
      } catch (wrong) {
        if (wrong instanceof Trouble || attempt > 4) throw wrong;
        await new Promise((done) => setTimeout(done, 300 * (attempt + 1)));
      }
    }
  }
}
