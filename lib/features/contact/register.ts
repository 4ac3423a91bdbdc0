/** Registering an enquiry in one commit. */
import { IDEMPOTENCY_KEY, MAX_IDEMPOTENCY_KEY } from "../../platform/http/idempotency_key.ts";
import { headOrigin, linkEvent, newSalt, recordHash } from "../../../packages/proof/mod.ts";
import type { ChainPage } from "../chain/mod.ts";
import { decodeHex, encodeBase64Url, encodeHex } from "../../base/encoding.ts";
import type { QueuedMail } from "../../platform/mail/mod.ts";
import { fail, type Failure, type RateLimited, rateLimited } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type Count, counter, ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import { formatWait } from "../../base/time.ts";
import { CONFIG } from "./config.ts";
import type { ConfirmOptions } from "./confirm.ts";
import { type Enquiry, MIN_ELAPSED_MS } from "./fields.ts";
import type { RegisteredEnquiry } from "./receipt.ts";
import { type Limits, readLimits } from "./limits.ts";
import { addContact, readContact } from "./store.ts";
import type { Submission } from "./submission.ts";

const { FAILURES, CHAIN_PREVIEW_COUNT } = { ...CONFIG, ...CONFIG.COPY };

export interface Sender {
  /** The organisation on whose site the enquiry was made. */
  organisation: OrganisationKey;
  /** The site that the form was sent from, see `siteOf`. */
  site?: string;
  clientAddress: string;
  /** Unique for each opening of the form, so that sending it again registers it only once. */
  idempotencyKey?: string;
}

/** The result of a submission, with the mails to send, which are empty for a retry. */
export type RegisterResult =
  | { ok: true; registered: RegisteredEnquiry; mails: QueuedMail[] }
  | Failure<
    | "invalid_request"
    | "too_fast"
    | "idempotency_mismatch"
    | "challenge_failed"
    | "rate_limited"
  >;

export interface RegisterOptions extends ConfirmOptions {
  /** Registrations per hour from one client address; 0 for no limit. */
  clientLimit: number;
  /** Returns whether the bot challenge was passed; undefined if there is no challenge. */
  challenge?: (response: string | undefined, clientAddress: string) => Promise<boolean>;
  /**
   * Adds the mails of a new record to the commit that registers it.
   *
   * @param token confirms the email address
   */
  addMails(
    commit: Deno.AtomicOperation,
    record: { hash: string; token: string; now: number },
  ): Promise<QueuedMail[]>;
  addToEnquiry?: AddToEnquiry;
  count?: Count;
}

/** Adds to the commit that registers an enquiry. A correction is not an enquiry. */
export type AddToEnquiry = (
  commit: Deno.AtomicOperation,
  enquiry: { hash: string; organisation: OrganisationKey; now: number },
) => void;

export const registrations = counter("registrations", "Registered enquiries.", {
  organisation: ORGANISATIONS,
});

/**
 * Registers a submission. The contact, its chain, the confirmation link, its mails, the client's
 * limit and the idempotency key are written in one commit.
 *
 * The order of the checks matters. Retries come first, because they have already used their
 * challenge and do not count towards the limit. The limit comes before the challenge, so that a
 * client that exceeds it cannot make us call the provider. The honeypot comes last: until then, a
 * bot gets the same responses as anyone else, and the last response reveals nothing either. The
 * commit repeats the checks.
 */
export async function register(
  options: RegisterOptions,
  { enquiry, challenge, elapsedMs, honeypotFilled }: Submission,
  { organisation, site, clientAddress, idempotencyKey }: Sender,
): Promise<RegisterResult> {
  const { kv, clock, chains, clientLimit } = options;
  if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    return fail("invalid_request", {
      message: "The idempotency key is invalid.",
      issues: { idempotency_key: `Use 1 to ${MAX_IDEMPOTENCY_KEY} visible ASCII characters.` },
    });
  }
  const use = {
    idempotencyKey,
    challenge: options.challenge && challenge,
    clientAddress,
    clientLimit,
  };
  const read = () => readLimits(kv, use, clock());
  const check = async (limits: Limits): Promise<RegisterResult | null> => {
    if (limits.registered !== null) return await repeat(options, limits.registered, enquiry);
    if (limits.waitMs > 0) return tooManyEnquiries(limits.waitMs);
    return limits.challengeUsed ? challengeFailed() : null;
  };

  const early = await check(await read());
  if (early !== null) return early;
  if (elapsedMs < MIN_ELAPSED_MS) return fail("too_fast", { message: FAILURES.too_fast });
  if (options.challenge !== undefined && !await options.challenge(challenge, clientAddress)) {
    // In the meantime, the same request may have been registered and used the response.
    return await check(await read()) ?? challengeFailed();
  }
  if (honeypotFilled) {
    const chain = await honeypotChain(chains.publisher, await chains.kid(), clock());
    return { ok: true, registered: { enquiry, chain }, mails: [] };
  }

  const salt = newSalt();
  const hash = await recordHash(salt, enquiry);
  let mails: QueuedMail[] = [];
  let refused: RegisterResult | null = null;
  const chain = await chains.start(hash, async (commit) => {
    const limits = await read();
    refused = await check(limits);
    if (refused !== null) return false;
    limits.reserve(commit, hash);
    const now = clock();
    const person = { record: enquiry, organisation, site, salt: encodeHex(salt), now };
    const token = await addPerson(options, commit, hash, person);
    options.addToEnquiry?.(commit, { hash, organisation, now });
    mails = await options.addMails(commit, { hash, token, now });
  });
  if (chain === null) return refused!;
  options.count?.(registrations, { organisation });
  return { ok: true, registered: { enquiry, chain }, mails };
}

/** Adds the contact of a new record to the commit that starts its chain, and its entries in the indexes. */
async function addPerson(
  { index }: Pick<RegisterOptions, "index">,
  commit: Deno.AtomicOperation,
  hash: string,
  person: Parameters<typeof addContact>[2],
): Promise<string> {
  const { record, organisation, now } = person;
  const token = addContact(commit, hash, person);
  await index.add(commit, "unconfirmed_email", record.email, hash);
  const registered_at = new Date(now).toISOString();
  await index.words.add(commit, hash, { record, organisation, registered_at });
  return token;
}

/**
 * Registers the person who accepts a document, without an enquiry. The caller confirms the address, to which
 * the person was mailed.
 *
 * @param addToCommit adds to the commit that registers the record. If it returns false, nothing is written.
 * @returns the hash of the record and the token that confirms its address; null if nothing was written
 */
export async function registerPerson(
  options: Pick<RegisterOptions, "clock" | "chains" | "index">,
  { enquiry, organisation }: { enquiry: Enquiry; organisation: OrganisationKey },
  addToCommit: (commit: Deno.AtomicOperation, hash: string) => Promise<false | void>,
): Promise<{ hash: string; token: string } | null> {
  const salt = newSalt();
  const hash = await recordHash(salt, enquiry);
  let token = "";
  const chain = await options.chains.start(hash, async (commit) => {
    if (await addToCommit(commit, hash) === false) return false;
    const now = options.clock();
    const person = { record: enquiry, organisation, salt: encodeHex(salt), now };
    token = await addPerson(options, commit, hash, person);
  });
  return chain === null ? null : { hash, token };
}

/**
 * Returns the record that was registered with the same key, with the current state of its chain.
 * Compares the enquiries by recomputing the record's hash.
 */
async function repeat(
  { kv, chains }: RegisterOptions,
  hash: string,
  enquiry: Enquiry,
): Promise<RegisterResult> {
  const [contact, chain] = await Promise.all([
    readContact(kv, hash),
    chains.page(hash, { limit: CHAIN_PREVIEW_COUNT }),
  ]);
  const same = contact !== null && chain !== null &&
    await recordHash(decodeHex(contact.salt), enquiry) === hash;
  return same
    ? { ok: true, registered: { enquiry, chain }, mails: [] }
    : fail("idempotency_mismatch", { message: FAILURES.conflict });
}

function tooManyEnquiries(waitMs: number): RateLimited {
  const failure = rateLimited(waitMs);
  const when = formatWait(failure.retryAfterSeconds);
  return { ...failure, message: FAILURES.rate_limited.replace("{when}", when) };
}

const challengeFailed = () => fail("challenge_failed", { message: FAILURES.challenge_failed });

/**
 * Returns a fake chain that looks like a new one, as the response to a submission with the honeypot
 * filled in. The signature is random, because a real signature would be valid.
 */
async function honeypotChain(
  publisher: string,
  kid: string,
  now: number,
): Promise<ChainPage> {
  const hash = encodeHex(random(32));
  const at = new Date(now).toISOString();
  const event = await linkEvent(hash, { seq: 0, kind: "hash_generated", at, status: "ok" });
  const bytes = random(64);
  bytes[63] &= 0x0f; // the second half of an Ed25519 signature is a number just above 2^252 at most
  const signature = encodeBase64Url(bytes);
  const origin = headOrigin(publisher, hash);
  return {
    hash,
    head: { origin, size: 1, tip: event.hash, at, kid, signature },
    events: [event],
  };
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
