"""A verifier for version 1.1 of the standard, in Python without packages.

    deno task conform python3 docs/conform/verifier.py
"""

import base64
import datetime
import hashlib
import json
import re
import sys

KINDS = {
    "hash_generated", "email_confirmed", "sms_confirmed", "k2_delivered", "record_verified",
    "document_viewed", "document_downloaded", "document_printed", "document_verified",
    "access_requested",
}
HASH = re.compile(r"[0-9a-f]{64}")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)
HOST = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)*")
PORT = re.compile(r"[1-9][0-9]{0,4}")
BYTES_32 = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
BYTES_64 = re.compile(r"[A-Za-z0-9_-]{85}[AQgw]")


# JSON text

def unique(members):
    result = dict(members)
    if len(result) != len(members):
        raise ValueError("a name occurs twice")
    return result


def refuse(constant):
    raise ValueError(f"{constant} is not JSON")


def parse(text):
    """Every number becomes a double, as in I-JSON."""
    return json.loads(text, object_pairs_hook=unique, parse_int=float, parse_constant=refuse)


# Canonical JSON (RFC 8785)

def number(value):
    """Formats a number as ECMAScript does."""
    if value == int(value) and abs(value) < 1e21:
        return str(int(value))
    digits = repr(value)
    mantissa, _, exponent = digits.partition("e")
    if not exponent:
        return digits
    power = int(exponent)
    mantissa = mantissa.removesuffix(".0")
    if -7 < power < 0:  # Python switches to exponents earlier.
        sign, mantissa = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
        return f"{sign}0.{'0' * (-power - 1)}{mantissa.replace('.', '')}"
    return f"{mantissa}e{'+' if power > 0 else '-'}{abs(power)}"


def canonical(value):
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(n)}:{canonical(value[n])}" for n in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return number(value)
    return json.dumps(value, ensure_ascii=False)


# Hashes

def message(purpose, *parts):
    return f"verifiable-records/1/{purpose}".encode() + b"\0" + b"".join(parts)


def record_hash(salt, record):
    parts = message("record", bytes.fromhex(salt), canonical(record).encode())
    return hashlib.sha256(parts).hexdigest()


def event_hash(prev, event):
    core = canonical({name: event[name] for name in ("at", "kind", "seq", "status")})
    return hashlib.sha256(message("event", bytes.fromhex(prev), core.encode())).hexdigest()


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def key_id(key):
    members = {name: key.get(name) for name in ("crv", "kty", "x")}
    return base64url(hashlib.sha256(canonical(members).encode()).digest())


# Ed25519 (RFC 8032, section 5.1), short rather than fast

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    product = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, P)
    return x % P, y % P


def multiply(point, factor):
    result = (0, 1)
    while factor:
        if factor & 1:
            result = add(result, point)
        point = add(point, point)
        factor >>= 1
    return result


def decode_point(data):
    bits = int.from_bytes(data, "little")
    y, odd = bits & (2**255 - 1), bits >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if len(data) != 32 or y >= P or (x * x - square) % P or (x == 0 and odd):
        raise ValueError("not a point")
    return (P - x if x % 2 != odd else x), y


BASE = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def has_small_order(point):
    return multiply(point, 8) == (0, 1)


def verify_signature(public, signed, signature):
    try:
        key, r = decode_point(public), decode_point(signature[:32])
    except ValueError:
        return False
    if has_small_order(key) or has_small_order(r):
        return False
    s = int.from_bytes(signature[32:], "little")
    digest = hashlib.sha512(signature[:32] + public + signed).digest()
    k = int.from_bytes(digest, "little") % ORDER
    return s < ORDER and multiply(BASE, s) == add(r, multiply(key, k))


# Verification

def matches(value, pattern):
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def is_count(value, least):
    return isinstance(value, float) and value.is_integer() and least <= value < 2**53


def is_origin(value):
    if not isinstance(value, str):
        return False
    publisher, _, record = value.rpartition("/")
    host, colon, port = publisher.partition(":")
    return (
        matches(record, HASH) and matches(host, HOST)
        and host[0] != "-" and host[-1] != "-"
        and (not colon or (matches(port, PORT) and int(port) < 65536 and port != "443"))
    )


def is_instant(value):
    if not matches(value, INSTANT):
        return False
    try:  # Python has no year 0, which is a leap year like 2000.
        datetime.date(int(value[:4]) or 2000, int(value[5:7]), int(value[8:10]))
    except ValueError:
        return False
    return True


def is_event(event):
    return (
        isinstance(event, dict)
        and set(event) == {"seq", "kind", "at", "status", "prev", "hash"}
        and is_count(event["seq"], 0)
        and isinstance(event["kind"], str) and event["kind"] in KINDS
        and is_instant(event["at"])
        and event["status"] == "ok"
        and matches(event["prev"], HASH) and matches(event["hash"], HASH)
    )


def is_head(head):
    return (
        isinstance(head, dict)
        and set(head) == {"origin", "size", "tip", "at", "kid", "signature"}
        and is_origin(head["origin"])
        and is_count(head["size"], 1)
        and matches(head["tip"], HASH)
        and is_instant(head["at"])
        and matches(head["kid"], BYTES_32) and matches(head["signature"], BYTES_64)
    )


def is_key(key):
    return (
        isinstance(key, dict)
        and key.get("kty") == "OKP" and key.get("crv") == "Ed25519"
        and matches(key.get("x"), BYTES_32)
    )


def fault(code, **more):
    return {"ok": False, "code": code, **more}


def verify_head(request):
    head = request["head"]
    if not is_head(head):
        return fault("bad_head")
    keys = request["keys"] if isinstance(request["keys"], list) else []
    key = next((key for key in keys if is_key(key) and key_id(key) == head["kid"]), None)
    if key is None:
        return fault("unknown_key")
    unsigned = {name: head[name] for name in head if name != "signature"}
    signed = message("head", canonical(unsigned).encode())
    if not verify_signature(from_base64url(key["x"]), signed, from_base64url(head["signature"])):
        return fault("bad_signature")
    if head["origin"] != f"{request['publisher']}/{request['recordHash']}":
        return fault("bad_origin")
    return {"ok": True}


def verify_events(request):
    events, record = request["events"], request["recordHash"]
    start = request.get("start", {"seq": 0.0, "prev": record})
    if not is_count(start["seq"], 0):
        return fault("bad_input", seq=0)
    first, prev = int(start["seq"]), start["prev"]
    if not matches(record, HASH) or not matches(prev, HASH) or not isinstance(events, list):
        return fault("bad_input", seq=first)
    if first == 0:
        prev = record
    for seq, event in enumerate(events, first):
        if not is_event(event):
            return fault("bad_event", seq=seq)
        if event["seq"] != seq:
            return fault("bad_seq", seq=seq)
        if event["prev"] != prev:
            return fault("bad_prev", seq=seq)
        if event["hash"] != event_hash(prev, event):
            return fault("bad_hash", seq=seq)
        prev = event["hash"]
    return {"ok": True, "size": first + len(events)}


def verify_chain(request):
    events = request["events"]
    checked = verify_events(request)
    if not checked["ok"] or "head" not in request:
        return checked
    checked = verify_head(request)
    if not checked["ok"]:
        return checked
    size = int(request["head"]["size"])
    if size > len(events):
        return fault("truncated", seq=len(events))
    if events[size - 1]["hash"] != request["head"]["tip"]:
        return fault("bad_tip", seq=size - 1)
    return {"ok": True, "size": len(events), "covered": size}


def verify_text(request):
    try:
        chain = parse(request["text"])
    except ValueError:
        return fault("bad_input", seq=0)
    return verify_chain({**request, "events": chain["events"], "head": chain["head"]})


OPERATIONS = {
    "record_hash": lambda request: {"hash": record_hash(request["salt"], request["record"])},
    "event_hash": lambda request: {"hash": event_hash(request["prev"], request["event"])},
    "key_id": lambda request: {"kid": key_id(request["key"])},
    "verify_head": verify_head,
    "verify_chain": verify_chain,
    "verify_text": verify_text,
    "verify_part": verify_events,
}

if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        request = parse(line)
        print(json.dumps({"id": int(request["id"]), **OPERATIONS[request["op"]](request)}), flush=True)
