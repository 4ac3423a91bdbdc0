"""Receives the events of a webhook, with the standard library of Python 3.9 or later. An event can
arrive more than once and in another order, so it acts on each webhook-id once, and reads the document
if its state matters."""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["GATEHOUSE_WEBHOOK_SECRET"].removeprefix("whsec_"))
TOLERANCE = 5 * 60  # seconds
LIMIT = 100_000

handled = set()  # ids of events that were handled; keep them in your database, for 30 days


def is_signed(headers, body):
    """Verifies a signature of Standard Webhooks: that of the exact bytes, and not an old one."""
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(KEY, signed, hashlib.sha256)).decode()
    # There are two while the secret is being replaced.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        size = int(self.headers.get("content-length", 0))
        if size > LIMIT:
            return self.respond(413)
        body = self.rfile.read(size)
        if not is_signed(self.headers, body):
            return self.respond(401)
        event = json.loads(body)
        if self.headers["webhook-id"] not in handled:
            print(event["type"], event["data"].get("external_id"), flush=True)
            handled.add(self.headers["webhook-id"])
        self.respond(204)  # within 15 seconds: put slow work into a queue

    def respond(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(os.environ.get("PORT", 3000))
    server = ThreadingHTTPServer(("127.0.0.1", port), Receiver)
    print(f"Listening on port {port}", flush=True)
    server.serve_forever()
