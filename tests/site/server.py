"""A plain static server, which knows only files and serves them under a path, as shared hosts do.

    with serve(folder) as address:  # http://127.0.0.1:…/some/prefix/

Imports the standard library alone.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

PREFIX = "/some/prefix/"


class Handler(http.server.SimpleHTTPRequestHandler):
    """The files of a folder under PREFIX. There is nothing outside the prefix."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".whl": "application/zip",
    }

    def translate_path(self, path: str) -> str:
        return super().translate_path("/" + path.removeprefix(PREFIX))

    def send_head(self):
        if not self.path.startswith(PREFIX):
            self.send_error(404)
            return None
        return super().send_head()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serve(folder: Path) -> Iterator[str]:
    """The address under which `folder` is served, to this machine alone."""
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
        finally:
            server.shutdown()
