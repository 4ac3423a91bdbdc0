/** The limits of the form: per client, per mailbox and per challenge response. */
import { z } from "zod";
import { addressKey } from "../../platform/http/client_address.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import {
  defineLimit,
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  readSlot,
} from "../../platform/kv/mod.ts";
import { DAY_MS, HOUR_MS, inHours, inMinutes } from "../../base/time.ts";
import { CHALLENGE_LIFETIME_MS } from "./challenge.ts";
import type { ContactConfig } from "./variables.ts";

/** How long an `Idempotency-Key` identifies a registration. */
export const IDEMPOTENCY_LIFETIME_MS = DAY_MS;

/** How long a challenge response is reserved: longer than it is valid, so that none is accepted twice. */
const CHALLENGE_REMEMBERED_MS = 2 * CHALLENGE_LIFETIME_MS;

/** How many links per hour are mailed to one mailbox, which anybody can enter, from any network. */
export const LINKS_PER_MAILBOX = 5;

/** A reservation for a record. Its key is the SHA-256 of a secret. */
const reservation = z.strictObject({
  /** The hash of the record. */
  holder: z.string(),
  ...EXPIRING,
});

export const idempotencyKeys = defineTable({
  prefix: "contact_requests",
  value: reservation,
  key: ["secret"],
  owner: "nobody",
  lifetime: expires(inHours(IDEMPOTENCY_LIFETIME_MS)),
  per: "registration",
  privacy: {
    section: "enquiry",
    label: "Repeated enquiries",
    text: "A fingerprint of a random number that the form generates each time it is opened, " +
      `and the record registered with it, for ${inHours(IDEMPOTENCY_LIFETIME_MS)}, so that an ` +
      "enquiry that is sent twice is registered only once.",
  },
});

export const challengeResponses = defineTable({
  prefix: "contact_challenges",
  value: reservation,
  key: ["secret"],
  owner: "nobody",
  lifetime: expires(inMinutes(CHALLENGE_REMEMBERED_MS)),
  per: "bot check",
  privacy: {
    section: "enquiry",
    label: "Bot check",
    text: "A fingerprint of the result that the check gave to your browser, for " +
      `${inMinutes(CHALLENGE_REMEMBERED_MS)}, so that it can be used only once.`,
    if: ({ contact }: { contact: ContactConfig }) => contact.challenge !== undefined,
  },
});

/** Limits enquiries from one client. The configuration has the number. */
export const clientEnquiries = defineLimit({
  name: "contact_client",
  limit: null,
  windowMs: HOUR_MS,
  per: "network that sends enquiries",
  privacy: {
    section: "enquiry",
    label: "Limits",
    text: "The number of enquiries from a network address, with a fingerprint of that address, " +
      "for an hour. The number of confirmation links sent to an email address, with a keyed " +
      "fingerprint of that address, for an hour.",
  },
});

export const mailboxLinks = defineLimit({
  name: "contact_mailbox",
  limit: LINKS_PER_MAILBOX,
  windowMs: HOUR_MS,
  per: "mailbox that gets confirmation links",
  privacy: { section: "enquiry", label: "Limits" },
});

export interface Limits {
  /** The record that was registered with the idempotency key, if any. */
  registered: string | null;
  /** Milliseconds until the client may register again; 0 if it may now. */
  waitMs: number;
  challengeUsed: boolean;
  /**
   * Reserves all of them for a record. The commit fails if another registration reserved one first.
   */
  reserve(commit: Deno.AtomicOperation, hash: string): void;
}

export async function readLimits(
  kv: Deno.Kv,
  { idempotencyKey, challenge, clientAddress, clientLimit }: {
    idempotencyKey: string | undefined;
    challenge: string | undefined;
    clientAddress: string;
    clientLimit: number;
  },
  now: number,
): Promise<Limits> {
  const [request, response, slot] = await Promise.all([
    readReservation(kv, idempotencyKeys, idempotencyKey, IDEMPOTENCY_LIFETIME_MS, now),
    readReservation(kv, challengeResponses, challenge, CHALLENGE_REMEMBERED_MS, now),
    clientLimit === 0
      ? null
      : readSlot(kv, clientEnquiries.of([sha256(addressKey(clientAddress))], clientLimit), now),
  ]);
  return {
    registered: request.holder,
    waitMs: slot?.waitMs ?? 0,
    challengeUsed: response.holder !== null,
    reserve(commit, hash) {
      request.take(commit, hash);
      response.take(commit, hash);
      slot?.take(commit);
    },
  };
}

async function readReservation(
  kv: Deno.Kv,
  table: typeof idempotencyKeys | typeof challengeResponses,
  secret: string | undefined,
  lifetimeMs: number,
  now: number,
) {
  if (secret === undefined) return { holder: null, take() {} };
  const entry = await table.get(kv, sha256(secret));
  return {
    holder: entry.value !== null && isLive(entry.value, now) ? entry.value.holder : null,
    take(commit: Deno.AtomicOperation, holder: string) {
      table.replace(commit, entry, { holder, expires_at: isoAfter(now, lifetimeMs) }, now);
    },
  };
}
