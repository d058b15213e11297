"""A web server on this machine that has bad days, as told."""

import http.server
import re
import socket
import struct
import threading
import time

import pytest


class Web:
    """What is asked of the server, what it has, and how it answers.

    Attributes:
        files: path to bytes.
        asked: (path, Range header or None) of each request, in order.
        days: how to answer the next requests; when none is left, well.
    """

    def __init__(self):
        self.files, self.asked, self.days = {}, [], []
        self.over = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            web = self

            def do_GET(self):
                asked = self.headers["Range"]
                self.web.asked.append((self.path, asked))
                day = self.web.days.pop(0) if self.web.days else well
                data = self.web.files.get(self.path)
                if data is None:
                    return self.send_error(404)
                found = re.fullmatch(r"bytes=(\d+)-", asked or "bytes=0-")
                day(self, data, int(found[1]) if asked else None)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(
            target=self.server.serve_forever, args=(0.01,), daemon=True
        ).start()

    def close(self):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def web(monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    server = Web()
    yield server
    server.close()


# ------------------------------------------------------- days of a web server


def head(handler, size, start=None, **more):
    """Announce so many bytes, or those from a certain one on."""
    handler.send_response(200 if start is None else 206)
    if start is not None:
        more["Content-Range"] = f"bytes {start}-{size - 1}/{size}"
    handler.send_header("Content-Length", str(size - (start or 0)))
    for name, value in more.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()


def well(handler, data, start):
    head(handler, len(data), start)
    handler.wfile.write(data[start or 0 :])


def ignores_range(handler, data, start):
    well(handler, data, None)


def drips(handler, data, start):
    head(handler, len(data), start)
    rest = data[start or 0 :]
    for first in range(0, len(rest), len(rest) // 7 + 1):
        handler.wfile.write(rest[first : first + len(rest) // 7 + 1])
        time.sleep(0.01)


def breaks_off(after, polite=True):
    """Send so many bytes of the file (as counted from its start), and go."""

    def day(handler, data, start):
        head(handler, len(data), start)
        handler.wfile.write(data[start or 0 : after])
        if not polite:  # a reset, not an end
            time.sleep(0.05)
            linger = struct.pack("ii", 1, 0)
            handler.connection.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, linger
            )
            handler.rfile.close()
            handler.wfile.close()
            handler.connection.close()
        handler.close_connection = True

    return day


def stalls(after):
    """Send so many bytes of the file, and then nothing for ever."""

    def day(handler, data, start):
        head(handler, len(data), start)
        handler.wfile.write(data[start or 0 : after - 5])
        time.sleep(0.02)  # so that the last five come by themselves
        handler.wfile.write(data[after - 5 : after])
        handler.web.over.wait(20)

    return day


def status(code):
    return lambda handler, data, start: handler.send_error(code)


def moved_to(url):
    def day(handler, data, start):
        handler.send_response(302)
        handler.send_header("Location", url)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return day


def wrong(handler, data, start):
    """One bit is another one."""
    well(handler, data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], start)


def another_part(handler, data, start):
    """Say and send what begins one byte later than asked for."""
    head(handler, len(data), (start or 0) + 1)
    handler.wfile.write(data[(start or 0) + 1 :])


def has_grown(handler, data, start):
    well(handler, data + b"more", start)


def says_no_length(more=b""):
    """Send the file and more, without a word on how long it is."""

    def day(handler, data, start):
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(data + more)

    return day
