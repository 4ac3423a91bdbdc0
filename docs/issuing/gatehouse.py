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
TIMEOUT = 120  # seconds without a byte


class GatehouseError(Exception):
    """An error of the API. Its code is stable; the message is for people."""

    def __init__(self, problem):
        details = problem.get("issues") or problem.get("rows") or ""
        super().__init__(f"{problem['error']}: {problem['message']} {details}")
        self.code = problem["error"]
        self.problem = problem  # the body of the response


def problem_of(error):
    """Returns the body of an error, which is not JSON if a proxy on the way responded."""
    text = error.read().decode(errors="replace")
    try:
        problem = json.loads(text)
    except ValueError:
        problem = None
    if isinstance(problem, dict) and "error" in problem:
        return problem
    return {"error": f"http_{error.code}", "message": f"Status {error.code}: {text[:200]}"}


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
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                content = response.read()
                is_json = response.headers.get_content_type() == "application/json"
                return json.loads(content) if is_json else content
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "0")
            wait = int(after) if after.isdecimal() else 1  # a proxy may send a date
            if wait == 0 or attempt == ATTEMPTS:
                raise GatehouseError(problem_of(error)) from None
        except OSError:  # no connection, it was lost, or the response took too long
            wait = 1
            if attempt == ATTEMPTS:
                raise
        time.sleep(wait)
