"""Brings the events of tests to a program on your own machine:
python3 forward.py http://localhost:3000/events"""

import json
import sys
import time
import urllib.error
import urllib.request

from gatehouse import call

PATH = "/api/documents/webhooks"


def post(url, delivery):
    """Posts a delivery with its signature. Returns what happened."""
    body = json.dumps(delivery["payload"], ensure_ascii=False, separators=(",", ":")).encode()
    try:
        request = urllib.request.Request(url, body, delivery["headers"], method="POST")
        with urllib.request.urlopen(request, timeout=15) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError as error:
        return error


url = sys.argv[1]
webhook = next((each for each in call("GET", PATH)["data"] if each["url"] == url), None)
is_new = webhook is None
if is_new:
    webhook = call("POST", PATH, {"url": url, "description": "Forwarded"})
    print("GATEHOUSE_WEBHOOK_SECRET=" + webhook["secret"], flush=True)
deliveries = f"{PATH}/{webhook['id']}/deliveries"
done = set() if is_new else {each["id"] for each in call("GET", deliveries)["data"]}
print("Forwarding events to", url, flush=True)
while True:
    for each in reversed(call("GET", deliveries)["data"]):
        if each["state"] == "held" and each["id"] not in done:
            done.add(each["id"])
            print(each["type"], each["id"], post(url, each), flush=True)
    time.sleep(2)
