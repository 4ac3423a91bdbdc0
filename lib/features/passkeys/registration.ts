/** Registers a new passkey: the options for the browser, and the verification of its response. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Failure } from "../../base/result.ts";
import { OTHER_PROGRAM } from "../../platform/http/device.ts";
import { independent, readSlot, transact } from "../../platform/kv/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { createOptions, verifyRegistration } from "./ceremonies.ts";
import type { Purpose } from "./challenges.ts";
import { type Credential, passkeyId } from "./credential.ts";
import { newCredential } from "./credential_changes.ts";
import { EXPIRED, NOT_ADDED, tooMany } from "./failures.ts";
import { MAX_PASSKEYS, type OwnerOf, type PasskeysOf } from "./kinds.ts";

/** An owner who adds a passkey, and the place. */
interface Addition<Row extends Credential, Done> {
  owner: OwnerOf<Row>;
  surface: Surface;
  /** The name that password managers show. */
  account: string;
  /** Reads what the owner's rules say about it now. */
  ask(now: number): Promise<Admission<Row, Done> | Failure>;
}

/** The answer of an owner's rules to a new passkey. */
export interface Admission<Row extends Credential, Done> {
  ok: true;
  /** The purpose of the challenge: it binds the response to the session that asked for the options. */
  purpose: Purpose;
  /** The random id that authenticators return on sign-in. */
  userHandle: string;
  /** How many passkeys the owner has. */
  passkeys: number;
  /** True if the new passkey replaces all others. */
  replaces: boolean;
  /** Adds to the commit that issues the challenge, or refuses it. */
  begin?(commit: Deno.AtomicOperation, now: number): Promise<{ ok: true } | Refusal>;
  /** Adds to the commit that stores the passkey. If it refuses, nothing is committed. */
  complete(
    commit: Deno.AtomicOperation,
    added: { passkey: Row; replaced: number },
    now: number,
  ): Promise<{ ok: true; done: Done; mails: readonly QueuedMail[] } | Failure>;
}

/** A failure. If it counts, what was added to the commit is committed. */
interface Refusal {
  ok: false;
  failure: Failure;
  counts: boolean;
}

type Options = { ok: true; options: PublicKeyCredentialCreationOptionsJSON } | Failure;

const isFull = ({ passkeys, replaces }: Admission<never, unknown>): boolean =>
  !replaces && passkeys >= MAX_PASSKEYS;

/** Issues a challenge with the options for `navigator.credentials.create()`. */
export function registrationOptions<Row extends Credential>(
  { kind, kv, clock, partyOf }: PasskeysOf<Row>,
  { owner, surface, account, ask }: Addition<Row, unknown>,
): Promise<Options> {
  return transact<Options>(async () => {
    const now = clock();
    const [slot, admission, passkeys] = await Promise.all([
      readSlot(kv, kind.limits.owner.of(kind.limitOf(owner)), now),
      ask(now),
      kind.list(kv, owner),
    ]);
    if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
    if (!admission.ok) return { result: admission };
    if (isFull(admission)) return { result: kind.full };
    const commit = kv.atomic();
    slot.take(commit);
    const begun = await admission.begin?.(commit, now) ?? { ok: true };
    if (!begun.ok) return { result: begun.failure, ...begun.counts && { commit } };
    const { token: challenge } = kind.challenges.create(commit, admission.purpose, now);
    const options = await createOptions({
      party: partyOf(surface),
      account,
      userHandle: admission.userHandle,
      challenge,
      passkeys: admission.replaces ? [] : passkeys,
    });
    return { result: { ok: true, options }, commit };
  });
}

/**
 * Verifies a new passkey and stores it, in one commit with the use of its challenge and what the rules of
 * its owner add.
 *
 * @param browser the name of the browser, by which a passkey without a known provider is named
 */
export async function registerPasskey<Row extends Credential, Done>(
  { kind, kv, clock, mailer, partyOf }: PasskeysOf<Row>,
  { owner, surface, browser, ask }: Omit<Addition<Row, Done>, "account"> & { browser: string },
  response: RegistrationResponseJSON,
): Promise<{ ok: true; passkey: Row; done: Done } | Failure> {
  const party = partyOf(surface);
  return await transactAndMail<{ ok: true; passkey: Row; done: Done } | Failure>(
    mailer,
    async () => {
      const now = clock();
      const [admission, issuedFor] = await Promise.all([
        ask(now),
        kind.challenges.find(kv, response, now),
      ]);
      if (!admission.ok) return { result: admission };
      const issued = issuedFor(admission.purpose);
      if (issued === null) return { result: EXPIRED };
      const commit = kv.atomic();
      kind.challenges.use(commit, issued.entry, now);

      const refuse = <Result>(result: Result) => {
        independent("A refusal only uses up its challenge.");
        return { result, commit };
      };
      const verified = await verifyRegistration(response, issued.challenge, party);
      if (verified === null) return refuse(NOT_ADDED);
      const [known, others] = await Promise.all([
        kind.table.get(kv, passkeyId(verified.credential.id)),
        kind.list(kv, owner),
      ]);
      if (known.versionstamp !== null) return refuse(NOT_ADDED);
      if (isFull(admission)) return refuse(kind.full);

      const { userHandle, replaces } = admission;
      const named = browser === OTHER_PROGRAM ? null : browser;
      const about = { response, verified, party, userHandle, browser: named, others };
      const passkey = { ...newCredential(about, now), ...owner } as Row;
      const replaced = replaces ? others : [];
      for (const other of replaced) kind.table.delete(commit, other);
      commit.check(known);
      kind.table.set(commit, passkey);
      const completed = await admission.complete(
        commit,
        { passkey, replaced: replaced.length },
        now,
      );
      if (!completed.ok) return { result: completed };
      const { done, mails } = completed;
      return { result: { ok: true, passkey, done }, commit, mails };
    },
  );
}
