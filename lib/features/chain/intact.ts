/** A fast test of many stored chains, which leaves the exact fault to the full verification. */
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { decodeBase64Url, encodeBase64Url, utf8 } from "../../base/encoding.ts";
import {
  canonicalBytes,
  EVENT_KINDS,
  type Head,
  headOrigin,
  headSchema,
  isAllowedPoint,
  type LinkedEvent,
  type PublicJwk,
  withDomain,
} from "../../../packages/proof/mod.ts";

const KINDS: ReadonlySet<string> = new Set(EVENT_KINDS.map(({ kind }) => kind));
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MEMBERS = ["at", "hash", "kind", "prev", "seq", "status"].join();

/** A chain as it is stored. */
interface StoredChain {
  hash: string;
  head: Head;
  events: readonly LinkedEvent[];
}

/**
 * Creates a function that returns whether a stored chain is intact: every event is linked, the head
 * covers exactly these events, and its signature is valid. It is a fast form of `verifyChain` for trusted
 * input, which does not say what is wrong. A chain that it does not accept may still be valid.
 */
export function createIntactTest(
  publisher: string,
  keys: readonly PublicJwk[],
): (chain: StoredChain) => boolean {
  const known = new Map(keys.map((jwk) => [kidOf(jwk), keyOf(jwk)]));
  return ({ hash, head, events }) => {
    const tip = tipOf(hash, events);
    if (tip === null || !headSchema.safeParse(head).success) return false;
    const { signature, ...statement } = head;
    const key = known.get(head.kid);
    const bytes = decodeBase64Url(signature);
    return head.origin === headOrigin(publisher, hash) && head.size === events.length &&
      head.tip === tip && key !== undefined && key !== null && isAllowedPoint(bytes) &&
      verify(null, withDomain("head", canonicalBytes(statement)), key, bytes);
  };
}

/** Returns the hash of the last event; null if an event is malformed or not linked. */
function tipOf(hash: string, events: readonly LinkedEvent[]): string | null {
  let prev = hash;
  for (const [i, event] of events.entries()) {
    const { seq, kind, at, status } = event;
    const isWellFormed = seq === i && status === "ok" && KINDS.has(kind) &&
      INSTANT.test(at) && isDate(at) && Object.keys(event).sort().join() === MEMBERS;
    if (!isWellFormed || event.prev !== prev) return null;
    // As in `eventHash`, without promises.
    const canonical = JSON.stringify({ at, kind, seq, status });
    prev = createHash("sha256")
      .update(withDomain("event", Uint8Array.fromHex(prev), utf8(canonical))).digest("hex");
    if (event.hash !== prev) return null;
  }
  return prev;
}

function isDate(at: string): boolean {
  const ms = Date.parse(at);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === at;
}

/** Returns the RFC 7638 thumbprint, because a JWK may claim any `kid`. */
const kidOf = ({ kty, crv, x }: PublicJwk): string =>
  encodeBase64Url(
    new Uint8Array(createHash("sha256").update(JSON.stringify({ crv, kty, x })).digest()),
  );

function keyOf({ kty, crv, x }: PublicJwk): KeyObject | null {
  try {
    if (!isAllowedPoint(decodeBase64Url(x))) return null;
    return createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  } catch {
    return null; // x is not a point on the curve
  }
}
