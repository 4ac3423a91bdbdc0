import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { type Failure } from "../../base/result.ts";
import { type Device, OTHER_PROGRAM } from "../../platform/http/device.ts";
import { apart, independent, isoAfter, transact } from "../../platform/kv/mod.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";
import { endSessions, renewSession, type SignedIn } from "../auth/mod.ts";
import {
  createOptions,
  EXPIRED,
  newCredential,
  NOT_ADDED,
  passkeyId,
  type Registered,
  tooMany,
  verifyRegistration,
} from "../webauthn/mod.ts";
import {
  type AccountEntry,
  changeAccount,
  listPasskeys,
  operatorSlot,
  readAccount,
} from "./accounts.ts";
import type { PasskeyDeps } from "./deps.ts";
import { FULL, MAX_PASSKEYS, NOT_YET, SESSION_ENDED, WRONG_CODE } from "./failures.ts";
import { type Adding, gateOf } from "./gate.ts";
import { MAX_ATTEMPTS, permits } from "./permission.ts";
import { challenges, type OperatorPasskey, operatorPasskeys } from "./tables.ts";

/** An operator's request that concerns passkeys. */
export interface OperatorRequest {
  session: SignedIn;
  surface: Surface;
  device: Device;
}

type Options = { ok: true; options: PublicKeyCredentialCreationOptionsJSON } | Failure;
type Added = { ok: true; cookie: string } | Failure;

const needs = (session: SignedIn, { row }: AccountEntry, now: number): Adding =>
  gateOf(session, row, { now, required: false }).adding;

/** Returns the permission that a registration must have shown. */
const permissionOf = (adding: Adding, { row }: AccountEntry): string =>
  adding === "code" ? row.permission?.code ?? "" : "none";

/**
 * Issues a challenge with the options for `navigator.credentials.create()`.
 *
 * @param code the code of a permission, if the operator has lost the passkeys
 */
export function registrationOptions(
  { kv, clock, secrets, partyOf }: PasskeyDeps,
  { session, surface }: Omit<OperatorRequest, "device">,
  code: string | undefined,
): Promise<Options> {
  const { user_id, email } = session;
  const whose = { user_id, email, surface: surface.name };
  return transact<Options>(async () => {
    const now = clock();
    const [slot, account, passkeys] = await Promise.all([
      operatorSlot(kv, whose, "changes", now),
      readAccount(kv, whose),
      listPasskeys(kv, whose),
    ]);
    if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
    const adding = needs(session, account, now);
    const { permission } = account.row;
    if (adding === "link" || adding === "passkey") return { result: NOT_YET[adding] };
    const commit = kv.atomic();
    slot.take(commit);
    if (adding === "code") {
      if (permission === null || permission.attempts >= MAX_ATTEMPTS || code === undefined) {
        return { result: WRONG_CODE };
      }
      // Counted before the comparison, so that attempts at the same time count too.
      const attempts = permission.attempts + 1;
      changeAccount(commit, account, { permission: { ...permission, attempts } }, now);
      if (!await permits(secrets, permission, whose, code, now)) {
        return { result: WRONG_CODE, commit };
      }
    } else if (passkeys.length >= MAX_PASSKEYS && !session.replaces_passkeys) {
      return { result: FULL };
    } else changeAccount(commit, account, {}, now); // the user handle must stay the same
    const purpose = {
      ceremony: "registration",
      session: session.id,
      permission: permissionOf(adding, account),
    } as const;
    const { token } = challenges.create(commit, purpose, now);
    const options = await createOptions({
      party: partyOf(surface),
      account: email,
      userHandle: account.row.user_handle,
      challenge: token,
      passkeys: session.replaces_passkeys ? [] : passkeys,
    });
    return { result: { ok: true, options }, commit };
  });
}

/**
 * Verifies a new passkey and stores it, in one commit with the use of its challenge, the audit log and
 * the mails. It counts as used, so the session continues under a new cookie. The passkey replaces all
 * others if the session began with a link from the server.
 */
export async function registerPasskey(
  deps: PasskeyDeps,
  { session, surface, device }: OperatorRequest,
  response: RegistrationResponseJSON,
): Promise<Added> {
  const { kv, clock, mailer, notices, operators, partyOf } = deps;
  const { organisation } = surface;
  const { user_id, email } = session;
  const whose = { user_id, email, surface: surface.name };
  const party = partyOf(surface);
  const added = await transactAndMail<
    { ok: true; cookie: string; id: string; replaced: number } | Failure
  >(mailer, async () => {
    const now = clock();
    const account = await readAccount(kv, whose);
    const adding = needs(session, account, now);
    if (adding === "link" || adding === "passkey") return { result: NOT_YET[adding] };
    const permission = permissionOf(adding, account);
    const purpose = { ceremony: "registration", session: session.id, permission } as const;
    const issued = await challenges.find(kv, response, purpose, now);
    if (issued === null) return { result: EXPIRED };
    const commit = kv.atomic();
    challenges.use(commit, issued.entry, now);

    const refuse = <Result>(result: Result) => {
      independent("A refusal only uses up its challenge.");
      return { result, commit };
    };
    const verified = await verifyRegistration(response, issued.challenge, party);
    if (verified === null) return refuse(NOT_ADDED);
    const known = await operatorPasskeys.get(kv, passkeyId(verified.credential.id));
    if (known.versionstamp !== null) return refuse(NOT_ADDED);
    const layer = await apart(
      "Each request reads the layer again.",
      () => operators.layerOf(email, organisation),
    );
    if (layer === null) return { result: SESSION_ENDED };
    const others = await listPasskeys(kv, whose);
    const replaced = session.replaces_passkeys ? others : [];
    if (others.length - replaced.length >= MAX_PASSKEYS) return refuse(FULL);

    const passkey = passkeyOf({ account, verified, response, device, others, party }, now);
    const passkey_at = isoAfter(now, 0);
    const renewed = await renewSession(kv, commit, session.id, now);
    if (renewed === null) return { result: SESSION_ENDED };
    for (const other of replaced) operatorPasskeys.delete(commit, other);
    commit.check(known);
    operatorPasskeys.set(commit, passkey);
    changeAccount(commit, account, {
      passkeys: others.length - replaced.length + 1,
      locked: false,
      permission: null,
      ...replaced.length > 0 && { used_from: passkey_at },
    }, now);
    const detail = replaced.length > 0 ? `replaces ${replaced.length}` : null;
    addAudit(commit, { organisation, by: email, action: "passkey_added", detail }, now);
    const kind = replaced.length > 0 || adding === "code" ? "replaced" : "added";
    const mails = await notices.add(commit, { kind, whose, surface, passkey, device }, now);
    return { result: { ok: true, ...renewed, replaced: replaced.length }, commit, mails };
  });
  if (!added.ok) return added;
  // Somebody may have the passkeys that were replaced.
  if (added.replaced > 0) {
    await endSessions(kv, clock, { ...whose, only: (id) => id !== added.id });
  }
  return { ok: true, cookie: added.cookie };
}

function passkeyOf(
  { account: { row }, verified, response, device: { browser }, others, party }: {
    account: AccountEntry;
    verified: Registered;
    response: RegistrationResponseJSON;
    device: Device;
    others: readonly OperatorPasskey[];
    party: ReturnType<PasskeyDeps["partyOf"]>;
  },
  now: number,
): OperatorPasskey {
  const { user_id, surface, user_handle: userHandle } = row;
  const named = browser === OTHER_PROGRAM ? null : browser;
  const about = { response, verified, party, userHandle, browser: named, others };
  return { ...newCredential(about, now), user_id, surface };
}
