import { sha256 } from "../kv/hash.ts";
import { decodeHex, encodeHex } from "../encoding.ts";
import { newSalt, recordHash } from "../chain/mod.ts";
import type { ChainPage, Chains } from "../chain/store/mod.ts";
import { CONFIG } from "./config.ts";
import { keepConfirmation, newToken } from "./confirmations.ts";
import { contactKey, readContact, type StoredContact } from "./contacts.ts";
import { readStanding } from "./standing.ts";
import type { Enquiry, Submission } from "./submission.ts";

/** Who sends a submission. */
export interface Sender {
  /** The IP address that it came from. */
  clientAddress: string;
  /** Of one opening of the form, so that sending it again registers nothing more. */
  idempotencyKey?: string;
}

/** A record, and the chain that begins with it: its latest events. */
export interface RegisteredEnquiry {
  enquiry: Enquiry;
  chain: ChainPage;
}

/** What became of a submission; `token` is there where it has just been registered. */
export type RegisterResult =
  | { ok: true; registered: RegisteredEnquiry; token?: string }
  | { ok: false; error: "idempotency_mismatch" | "challenge_failed" }
  | { ok: false; error: "rate_limited"; retryAfterSeconds: number };

export interface RegisterOptions {
  kv: Deno.Kv;
  clock: () => number;
  chains: Chains;
  /** Registrations an hour from one client address; 0 for no limit. */
  clientLimit: number;
  /** Whether the bot challenge was passed; undefined where there is none. */
  challenge?: (answer: string | undefined, clientAddress: string) => Promise<boolean>;
  /** What robots get. */
  decoy: (now: number) => Promise<ChainPage>;
}

/**
 * Registers a submission: the contact, its chain, the link that confirms it, the count against the
 * client's limit and the idempotency key, all in one commit.
 *
 * The order matters. What was registered before is answered first, since a retry has used up its
 * challenge and counts nothing. Then the limit is looked at, so that who is over it cannot make us
 * call the provider. A filled trap comes last: until there a robot is told what anybody is told,
 * and it learns nothing from what it gets. All is checked again inside the commit.
 */
export async function register(
  options: RegisterOptions,
  { enquiry, challenge, trapped }: Submission,
  { clientAddress, idempotencyKey }: Sender,
): Promise<RegisterResult> {
  const { kv, clock, chains, clientLimit } = options;
  const uses = {
    idempotencyKey,
    challenge: options.challenge && challenge,
    clientAddress,
    clientLimit,
  };
  const read = (now: number) => readStanding(kv, uses, now);
  const refuse = async (
    { registered, waitMs, challengeUsed }: Awaited<ReturnType<typeof read>>,
  ): Promise<RegisterResult | null> => {
    if (registered !== null) return await repeat(options, registered, enquiry);
    if (waitMs > 0) {
      return { ok: false, error: "rate_limited", retryAfterSeconds: Math.ceil(waitMs / 1000) };
    }
    return challengeUsed ? { ok: false, error: "challenge_failed" } : null;
  };

  const early = await refuse(await read(clock()));
  if (early !== null) return early;
  if (options.challenge !== undefined && !await options.challenge(challenge, clientAddress)) {
    // Perhaps the same request was registered meanwhile, and has used up the answer.
    return await refuse(await read(clock())) ?? { ok: false, error: "challenge_failed" };
  }
  if (trapped) {
    return { ok: true, registered: { enquiry, chain: await options.decoy(clock()) } };
  }

  const salt = newSalt();
  const hash = await recordHash(salt, enquiry);
  const token = newToken();
  let refused: RegisterResult | null = null;
  const chain = await chains.start(hash, async (commit) => {
    const now = clock();
    const standing = await read(now);
    refused = await refuse(standing);
    if (refused !== null) return false;
    standing.take(commit, hash);
    const contact: StoredContact = {
      record: enquiry,
      salt: encodeHex(salt),
      registered_at: new Date(now).toISOString(),
      confirmed_at: null,
      confirmation: sha256(token),
    };
    commit.set(contactKey(hash), contact);
    keepConfirmation(commit, token, hash, now);
  });
  return chain === null ? refused! : { ok: true, registered: { enquiry, chain }, token };
}

/**
 * What was registered before under the same key, with its chain as it is now; if it was the same.
 * Whether it was is asked of the commitment, so that nothing more need be kept to tell.
 */
async function repeat(
  { kv, chains }: RegisterOptions,
  hash: string,
  enquiry: Enquiry,
): Promise<RegisterResult> {
  const [contact, chain] = await Promise.all([
    readContact(kv, hash),
    chains.page(hash, { limit: CONFIG.CHAIN_PREVIEW_COUNT }),
  ]);
  const same = contact !== null && chain !== null &&
    await recordHash(decodeHex(contact.salt), enquiry) === hash;
  return same
    ? { ok: true, registered: { enquiry, chain } }
    : { ok: false, error: "idempotency_mismatch" };
}
