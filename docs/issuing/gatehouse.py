"""A client of the API with the standard library of Python 3.9 or later. It repeats requests that have
failed for a passing reason, with the same Idempotency-Key, so that nothing is done twice."""

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

API = os.environ.get("GATEHOUSE_API", "https://api.example")
ATTEMPTS = 4


class GatehouseError(Exception):
    """An error of the API. Its code is stable; the message is for people."""

    def __init__(self, problem):
        details = problem.get("issues") or problem.get("rows") or ""
        super().__init__(f"{problem['error']}: {problem['message']} {details}")
        self.code = problem["error"]
        self.problem = problem  # the body of the response


def call(method, path, body=None, *, type="application/json", query=None, idempotency_key=None):
    """Sends a request. Returns JSON as Python values, and other responses as bytes."""
    url = API + path + ("?" + urllib.parse.urlencode(query) if query else "")
    headers = {"Authorization": "Bearer " + os.environ["GATEHOUSE_API_KEY"]}
    if body is not None:
        headers["Content-Type"] = type
        body = json.dumps(body).encode() if type == "application/json" else body
    if method == "POST":
        headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
    for attempt in range(1, ATTEMPTS + 1):
        try:
            request = urllib.request.Request(url, body, headers, method=method)
            with urllib.request.urlopen(request) as response:
                content = response.read()
                is_json = response.headers.get_content_type() == "application/json"
                return json.loads(content) if is_json else content
        except urllib.error.HTTPError as error:
            wait = int(error.headers.get("Retry-After", 0))
            if wait == 0 or attempt == ATTEMPTS:
                raise GatehouseError(json.load(error)) from None
        except urllib.error.URLError:  # no connection, or it was lost
            wait = 1
            if attempt == ATTEMPTS:
                raise
        time.sleep(wait)
