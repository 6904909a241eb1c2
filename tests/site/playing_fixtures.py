"""Fixtures of the playground's tests: a page that is opened with a program, and servers that note what they are asked.

conftest.py hands them to every test. Imports playing.py.
"""

from __future__ import annotations

import http.server
import threading

import pytest

from tests.site.playing import Play, link


@pytest.fixture
def has_playground(site):
    """Skips the test where the build has left the playground out."""
    if not (site / "play" / "index.html").exists():
        pytest.skip("the build left the playground out: see its last lines")


@pytest.fixture
def play(visit, has_playground):
    """play(code="print(1)") opens the playground with this program."""

    def play(path="", code=None, **settings):
        return Play(visit(f"play/{path}" + (link(code) if code is not None else ""), **settings))

    return play


@pytest.fixture
def watched(served):
    """Two lists of what servers were asked for: the site's own, and another's, whose address comes first."""

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()

        do_POST = do_HEAD = do_CONNECT = do_GET

        def log_message(self, *_):
            pass

    asked: list[str] = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", asked
        server.shutdown()


@pytest.fixture
def own(monkeypatch):
    """What the site's own server is asked for."""
    from tests.site import server

    asked: list[str] = []
    plain = server.Handler.do_GET
    monkeypatch.setattr(server.Handler, "do_GET", lambda self: (asked.append(self.path), plain(self)))
    return asked
