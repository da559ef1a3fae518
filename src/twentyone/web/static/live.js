/* The connection to the server: a WebSocket that reconnects by itself, and commands with idempotency keys. */

export function token() {
  const cookie = document.cookie.split('; ').find((part) => part.startsWith('twentyone_csrf='));
  return cookie ? decodeURIComponent(cookie.split('=')[1]) : '';
}

export async function call(method, path, body) {
  const answer = await fetch(`/api/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-csrf-token': token() },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(said.why || `the server answers ${answer.status}`), { status: answer.status, ...said });
  return said;
}

/** Commands that mean the same whatever happened in between: others may lay chips at the same time. All others are made
    for the version that is shown, so that a key pressed twice does not decide about a card that nobody has seen. */
const ANYWAY = ['place_wager', 'sit', 'leave', 'consent'];

export class Live {
  constructor(table, { onPush, onLine }) {
    this.table = table;
    this.onPush = onPush;
    this.onLine = onLine;
    this.version = 0;
    this.wait = 250;
    this.under = 0;
    this.answered = 0;
  }

  /** Whether no request is pending and the last response of the server is shown. */
  get settled() {
    return this.under === 0 && this.version >= this.answered;
  }

  /** Send a request that changes the table; it is done once the page has received the change. */
  async during(work) {
    this.under += 1;
    try {
      const answer = await work();
      this.answered = Math.max(this.answered, answer.version || 0);
      return answer;
    } finally {
      this.under -= 1;
    }
  }

  connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new WebSocket(`${scheme}://${location.host}/api/v1/tables/${this.table}/live?after=${this.version}`);
    const { socket } = this;
    socket.onopen = () => {
      this.wait = 250;
      this.onLine(true);
    };
    socket.onmessage = (message) => {
      const push = JSON.parse(message.data);
      if (push.view) this.version = push.view.version;
      this.onPush(push);
    };
    socket.onclose = (event) => {
      if (event.code === 4404 || socket !== this.socket) return;
      this.onLine(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, 4000);
    };
  }

  /** Reconnect at once: the session belongs to another person now. */
  again() {
    const old = this.socket;
    this.connect();
    old.close();
  }

  /** Give a command; after a lost connection it is sent again with the same key, so it is carried out once. */
  command(name, args = {}) {
    return this.during(() => this.#give(name, args));
  }

  async #give(name, args) {
    const body = { do: name, args, key: crypto.randomUUID ? crypto.randomUUID() : String(Math.random()), version: ANYWAY.includes(name) ? null : this.version };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await call('POST', `/tables/${this.table}/commands`, body);
      } catch (wrong) {
        if (wrong.status !== undefined || attempt > 4) throw wrong;
        await new Promise((done) => setTimeout(done, 300 * (attempt + 1)));
      }
    }
  }
}
