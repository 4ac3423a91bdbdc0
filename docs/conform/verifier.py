"""A verifier for version 1.2 of the standard, in Python without packages.

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


# A point (x, y) is (x * z, y * z, z, x * y * z) for any z, which avoids a division for each addition.
NEUTRAL = (0, 1, 1, 0)


def add(a, b):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = a, b
    minus, plus = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * D * t1 * t2 % P, 2 * z1 * z2
    e, f, g, h = plus - minus, d - c, d + c, plus + minus
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(point, factor):
    result = NEUTRAL
    while factor:
        if factor & 1:
            result = add(result, point)
        point = add(point, point)
        factor >>= 1
    return result


def is_same(a, b):
    return all((a[i] * b[2] - b[i] * a[2]) % P == 0 for i in (0, 1))


def decode_point(data):
    bits = int.from_bytes(data, "little")
    y, odd = bits & (2**255 - 1), bits >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if len(data) != 32 or y >= P or (x * x - square) % P or (x == 0 and odd):
        raise ValueError("not a point")
    x = P - x if x % 2 != odd else x
    return x, y, 1, x * y % P


BASE = decode_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def has_small_order(point):
    return is_same(multiply(point, 8), NEUTRAL)


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
    return s < ORDER and is_same(multiply(BASE, s), add(r, multiply(key, k)))


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


# The transparency log

class Fault(Exception):
    pass


def require(condition, code="log_malformed"):
    if not condition:
        raise Fault(code)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def u64(value):
    return int(value).to_bytes(8, "big")


def event_entry(record, size, tip, salt):
    place = bytes.fromhex(record) + u64(size)
    return (
        sha256(message("log-slot", place)),
        sha256(message("log-entry", salt, place, bytes.fromhex(tip))),
    )


def log_entry(request):
    kind = request["kind"]
    if kind == "event":
        salt = bytes.fromhex(request["log_salt"])
        entry = event_entry(request["record_hash"], request["size"], request["tip"], salt)
    elif kind == "document":
        place, name = u64(request["n"]), request["document"].encode()
        commitment = message(
            "log-document", bytes.fromhex(request["log_salt"]), place, u64(request["version"]),
            b"\x02" if request["state"] == "withdrawn" else b"\x01",
            bytes.fromhex(request["original"]), bytes.fromhex(request["issued"] or "00" * 32), name,
        )
        entry = sha256(message("log-document-slot", place, name)), sha256(commitment)
    elif kind == "keys":
        place = u64(request["n"])
        commitment = message("log-keys", place, request["key_set"].encode())
        entry = sha256(message("log-keys-slot", place)), sha256(commitment)
    else:
        entry = tuple(sha256(message(name, u64(1))) for name in ("log-complete-slot", "log-complete"))
    slot, commitment = entry
    return {"slot": slot.hex(), "commitment": commitment.hex(), "leaf": leaf_of(entry).hex()}


def leaf_of(entry):
    return sha256(b"\0", *entry)


def node(left, right):
    return sha256(b"\1", left, right)


def is_included(index, size, leaf, proof, root):
    """RFC 9162, section 2.1.3.2."""
    if index >= size:
        return False
    position, last, found = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if position % 2 or position == last:
            found = node(sibling, found)
            while position and not position % 2:
                position, last = position >> 1, last >> 1
        else:
            found = node(found, sibling)
        position, last = position >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(old_size, new_size, old_root, new_root, proof):
    """RFC 9162, section 2.1.4.2."""
    if not is_count(old_size, 0) or not is_count(new_size, 0) or old_size > new_size:
        return False
    if any(len(value) != 32 for value in (old_root, new_root, *proof)):
        return False
    first, second = int(old_size), int(new_size)
    if first == 0:
        return not proof and old_root == sha256()
    if first == second:
        return not proof and old_root == new_root
    if not proof:
        return False
    if first & (first - 1) == 0:
        proof = [old_root, *proof]
    position, last = first - 1, second - 1
    while position % 2:
        position, last = position >> 1, last >> 1
    before = after = proof[0]
    for value in proof[1:]:
        if last == 0:
            return False
        if position % 2 or position == last:
            before, after = node(value, before), node(value, after)
            while position and not position % 2:
                position, last = position >> 1, last >> 1
        else:
            after = node(after, value)
        position, last = position >> 1, last >> 1
    return last == 0 and before == old_root and after == new_root


NAME = re.compile(r"[^\s+\x00-\x1f\x7f-\x9f]+")
VKEY = re.compile(r"([^+]+)\+([0-9a-f]{8})\+(.+)")
LINE = re.compile(r"\u2014 (\S+) (\S+)")
NUMBER = re.compile(r"0|[1-9][0-9]*")
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


def from_base64(text):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text else None


def read_number(text):
    require(matches(text, NUMBER) and int(text) < 2**53)
    return int(text)


def read_key(text, kind):
    parts = VKEY.fullmatch(text or "")
    require(parts)
    name, identifier, encoded = parts.groups()
    typed = from_base64(encoded)
    require(matches(name, NAME) and typed is not None)
    require(sha256(name.encode() + b"\n", typed)[:4].hex() == identifier)
    if kind == 4 and typed[0] > 5:
        return name, None, typed[1:]  # of a later algorithm, so no line is by it
    require(len(typed) == 33 and typed[0] == kind)
    try:
        require(not has_small_order(decode_point(typed[1:])))
    except ValueError:
        raise Fault("log_malformed")
    return name, identifier, typed[1:]


def read_checkpoint(note):
    require(not CONTROLS.search(note) and note.endswith("\n") and "\n\n" in note)
    at = note.rindex("\n\n")
    text, signatures = note[:at + 1], []
    for line in note[at + 2:-1].split("\n"):
        parts = LINE.fullmatch(line)
        data = parts and from_base64(parts[2])
        require(data and len(data) > 4 and matches(parts[1], NAME))
        signatures.append((parts[1], data[:4].hex(), data[4:]))
    lines = text[:-1].split("\n")
    require(len(lines) >= 3 and matches(lines[0], NAME) and "" not in lines[3:])
    size, root = read_number(lines[1]), from_base64(lines[2])
    require(root is not None and len(root) == 32 and (size or root == sha256()))
    return {"text": text, "signatures": signatures, "origin": lines[0], "size": size, "root": root}


def is_url(text):
    return re.match(r"https?://[^\s\[\]/]+(/|$)", text) is not None


def read_policy(text):
    logs, witnesses, groups, grouped, quorum = [], {}, {}, set(), None

    def known(name):
        return name in witnesses or name in groups

    def new(key):
        return all(key[2] != other[2] for other in [*logs, *witnesses.values()])

    for line in text.split("\n"):
        require(not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", line))
        word, *rest = re.split(r"[ \t]+", line.strip(" \t"))
        if word == "" or word.startswith("#"):
            continue
        if word in ("log", "witness"):
            names = 0 if word == "log" else 1
            key = read_key(rest[names] if len(rest) > names else None, 1 if word == "log" else 4)
            require(new(key) and len(rest) <= names + 2 and all(map(is_url, rest[names + 1:])))
            if word == "log":
                logs.append(key)
            else:
                require(rest[0] != "none" and not known(rest[0]))
                witnesses[rest[0]] = key
        elif word == "group":
            require(len(rest) > 2)
            name, needed, *members = rest
            require(all(map(known, members)) and len(set(members)) == len(members))
            require(not grouped & set(members) and name != "none" and not known(name))
            require(re.fullmatch(r"all|any|[1-9][0-9]*", needed))
            count = {"all": len(members), "any": 1}.get(needed) or int(needed)
            require(count <= len(members))
            grouped |= set(members)
            groups[name] = count, members
        else:
            require(word == "quorum" and quorum is None and len(rest) == 1)
            require(rest[0] == "none" or known(rest[0]))
            quorum = rest[0]
    require(quorum is not None)

    def met(name, signed):
        if name not in groups:
            return name in signed
        count, members = groups[name]
        return sum(met(each, signed) for each in members) >= count

    return logs, witnesses, lambda signed: quorum == "none" or met(quorum, signed)


def read_proof(text):
    require(isinstance(text, str) and "\n\n" in text)
    head, note = text.split("\n\n", 1)
    lines = head.split("\n")
    require(len(lines) > 2 and lines[0] == "c2sp.org/tlog-proof@v1")
    require(lines[1].startswith("extra ") and lines[2].startswith("index "))
    salt, index = from_base64(lines[1][6:]), read_number(lines[2][6:])
    hashes = [from_base64(line) for line in lines[3:]]
    require(salt is not None and len(salt) == 32 and len(hashes) <= 63)
    require(all(value is not None and len(value) == 32 for value in hashes))
    return salt, index, hashes, note


def open_proof(request):
    """Steps 1 to 5. Returns a function that says whether the proof is of an entry, and more."""
    origin = request["origin"]
    logs, witnesses, is_met = read_policy(request["policy"])
    salt, index, hashes, note = read_proof(request["proof"])
    checkpoint = read_checkpoint(note)

    def made_by(key):
        return [data for name, identifier, data in checkpoint["signatures"] if (name, identifier) == key[:2]]

    own = [(key, data) for key in logs if key[0] == origin for data in made_by(key)]
    require(checkpoint["origin"] == origin and own, "log_unknown")
    text, signed, times = checkpoint["text"].encode(), set(), []
    for key, data in own:
        require(len(data) == 64 and verify_signature(key[2], text, data), "log_signature")
    for name, key in witnesses.items():
        for data in made_by(key):
            time = int.from_bytes(data[:8], "big")
            require(len(data) == 72 and 0 < time < 2**53, "log_signature")
            cosigned = f"cosignature/v1\ntime {time}\n".encode() + text
            require(verify_signature(key[2], cosigned, data[8:]), "log_signature")
            signed.add(name)
            times.append(time)
    require(is_met(signed), "log_quorum")

    def is_of(size, tip):
        leaf = leaf_of(event_entry(request["record_hash"], size, tip, salt))
        return is_included(index, checkpoint["size"], leaf, hashes, checkpoint["root"])

    return is_of, index, checkpoint["size"], {"time": min(times)} if times else {}


def log_proof(request):
    is_of, index, size, time = open_proof(request)
    require(is_of(request["size"], request["tip"]), "log_inclusion")
    return {"ok": True, "index": index, "log_size": size, **time}


def log_chain(request):
    events, logged, time = request["events"], 0, {}
    if request.get("proof") is not None:
        is_of, _, _, time = open_proof(request)
        logged = len(events)
        while logged and not is_of(logged, events[logged - 1]["hash"]):
            logged -= 1
        require(logged, "log_inclusion")
    now = datetime.datetime.fromisoformat(request["as_of"])
    for event in events[logged:]:
        age = abs(now - datetime.datetime.fromisoformat(event["at"]))
        require(age < datetime.timedelta(minutes=10), "log_missing")
    return {"ok": True, "logged": logged, **time}


def log_consistency(request):
    roots = [bytes.fromhex(request[name]) for name in ("old_root", "new_root")]
    proof = [bytes.fromhex(value) for value in request["proof"]]
    sizes = request["old_size"], request["new_size"]
    require(is_consistent(*sizes, *roots, proof), "log_inconsistent")
    return {"ok": True}


def log_tile(request):
    level, index, size = request["level"], int(request["index"]), int(request["size"])
    level = level if level == "entries" else int(level)
    items = size if level == "entries" else size >> 8 * level
    width = min(256, items - 256 * index)
    groups, rest = [f"{index % 1000:03}"], index // 1000
    while rest:
        groups.insert(0, f"x{rest % 1000:03}")
        rest //= 1000
    partial = "" if width == 256 else f".p/{width}"
    return {"path": f"tile/{level}/{'/'.join(groups)}{partial}", "width": width}


def log_keys(request):
    kids = [key["kid"] for text in request["key_sets"] for key in json.loads(text)["keys"]]
    require(request["kid"] in kids, "log_unknown")
    return {"ok": True}


def log_entries(request):
    commitments = {}
    for entry in request["entries"]:
        require(len(entry) == 128)
        require(commitments.setdefault(entry[:64], entry[64:]) == entry[64:], "log_fork")
    return {"ok": True}


def or_fault(check):
    def answer(request):
        try:
            return check(request)
        except Fault as found:
            return fault(str(found))
    return answer


OPERATIONS = {
    "record_hash": lambda request: {"hash": record_hash(request["salt"], request["record"])},
    "event_hash": lambda request: {"hash": event_hash(request["prev"], request["event"])},
    "key_id": lambda request: {"kid": key_id(request["key"])},
    "verify_head": verify_head,
    "verify_chain": verify_chain,
    "verify_text": verify_text,
    "verify_part": verify_events,
    "log_entry": log_entry,
    "log_proof": or_fault(log_proof),
    "log_chain": or_fault(log_chain),
    "log_consistency": or_fault(log_consistency),
    "log_tile": log_tile,
    "log_keys": or_fault(log_keys),
    "log_entries": or_fault(log_entries),
}

if __name__ == "__main__":
    sys.stdin.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        request = parse(line)
        print(json.dumps({"id": int(request["id"]), **OPERATIONS[request["op"]](request)}), flush=True)
