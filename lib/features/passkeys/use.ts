import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { Failure } from "../../base/result.ts";

import { addressKey } from "../../platform/http/client_address.ts";
import type { Device } from "../../platform/http/device.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { apart, independent, readSlot, transact } from "../../platform/kv/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";
import { renewSession, type SignedIn, signIns, startPasskeySession } from "../auth/mod.ts";
import {
  counterAlarm,
  EXPIRED,
  getOptions,
  passkeyId,
  REFUSED,
  tooMany,
  usedCredential,
  verifySignIn,
} from "../webauthn/mod.ts";
import { confirmationSlot, listPasskeys } from "./accounts.ts";
import type { PasskeyDeps } from "./deps.ts";
import { SESSION_ENDED } from "./failures.ts";
import {
  accounts,
  challenges,
  type OperatorPasskey,
  operatorPasskeys,
  OPTIONS_WINDOW_MS,
} from "./tables.ts";

type Options = { ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Failure;
type Purpose = Parameters<typeof challenges.create>[1];

/** The cookie of the session, or why there is none, with the counters if they went back. */
type Used = ({ ok: true; cookie: string } | Failure) & {
  alarm?: { stored: number; received: number };
};

/** Returns the options for a sign-in. They name no passkeys, so they are the same for everyone. */
export function signInOptions(
  { kv, clock, partyOf }: PasskeyDeps,
  { surface, browser, clientAddress }: {
    surface: Surface;
    browser: string;
    clientAddress: string;
  },
): Promise<Options> {
  return transact<Options>(async () => {
    const now = clock();
    const slot = await readSlot(kv, {
      key: ["operator_passkey_limits", "client", sha256(addressKey(clientAddress))],
      limit: 100,
      windowMs: OPTIONS_WINDOW_MS,
      approximate: true,
    }, now);
    if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
    const commit = kv.atomic();
    slot.take(commit);
    const purpose = { ceremony: "sign_in", browser: sha256(browser) } as const;
    const { token: challenge } = challenges.create(commit, purpose, now);
    const options = await getOptions({ party: partyOf(surface), challenge });
    return { result: { ok: true, options }, commit };
  });
}

/** Returns the options for the confirmation of a session, which name the operator's passkeys. */
export function confirmationOptions(
  { kv, clock, partyOf }: PasskeyDeps,
  { session, surface }: { session: SignedIn; surface: Surface },
): Promise<Options> {
  const whose = { user_id: session.user_id, surface: surface.name };
  return transact<Options>(async () => {
    const now = clock();
    const [slot, passkeys] = await Promise.all([
      confirmationSlot(kv, session.id, now),
      listPasskeys(kv, whose),
    ]);
    if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
    const commit = kv.atomic();
    slot.take(commit);
    const purpose = { ceremony: "confirmation", session: session.id } as const;
    const { token: challenge } = challenges.create(commit, purpose, now);
    const options = await getOptions({ party: partyOf(surface), challenge, passkeys });
    return { result: { ok: true, options }, commit };
  });
}

/** Begins a session with a passkey, in place of the one that the browser had. */
export async function signIn(
  deps: PasskeyDeps,
  { surface, browser, previous, device }: {
    surface: Surface;
    /** The id of the browser that asked for the options; null if it sent none. */
    browser: string | null;
    previous: SignedIn | null;
    device: Device;
  },
  response: AuthenticationResponseJSON,
): Promise<{ ok: true; cookie: string } | Failure> {
  if (browser === null) return EXPIRED;
  const { kv, operators, count } = deps;
  const { organisation } = surface;
  const purpose = { ceremony: "sign_in", browser: sha256(browser) } as const;
  const result = await use(deps, surface, purpose, response, async (commit, passkey, now) => {
    const { user_id } = passkey;
    const started = await startPasskeySession(kv, commit, {
      user_id,
      surface: surface.name,
      device,
      previous: previous?.id ?? null,
    }, now);
    if (started === null) return REFUSED;
    const { email, cookie } = started;
    const layer = await apart(
      "Each request reads the layer again.",
      () => operators.layerOf(email, organisation),
    );
    if (layer === null) return REFUSED;
    const detail = `${layer}, with a passkey`;
    addAudit(commit, { organisation, by: email, action: "sign_in", detail }, now);
    return { ok: true, cookie };
  });
  if (result.ok) count(signIns, { who: "user", method: "passkey" });
  return result;
}

/** Records the use of a passkey in a session, which continues under a new cookie. */
export function confirm(
  deps: PasskeyDeps,
  { session, surface }: { session: SignedIn; surface: Surface },
  response: AuthenticationResponseJSON,
): Promise<{ ok: true; cookie: string } | Failure> {
  const purpose = { ceremony: "confirmation", session: session.id } as const;
  return use(deps, surface, purpose, response, async (commit, passkey, now) => {
    if (passkey.user_id !== session.user_id) return REFUSED;
    const renewed = await renewSession(deps.kv, commit, session.id, now);
    return renewed === null ? SESSION_ENDED : { ok: true, cookie: renewed.cookie };
  });
}

/**
 * Verifies a response in one commit with the use of its challenge, the passkey's counter and what
 * `addTo` adds, so that a response is accepted at most once.
 */
async function use(
  { kv, clock, log, partyOf }: PasskeyDeps,
  surface: Surface,
  purpose: Purpose,
  response: AuthenticationResponseJSON,
  addTo: (
    commit: Deno.AtomicOperation,
    passkey: OperatorPasskey,
    now: number,
  ) => Promise<{ ok: true; cookie: string } | Failure>,
): Promise<{ ok: true; cookie: string } | Failure> {
  const { alarm, ...result } = await transact<Used>(async () => {
    const now = clock();
    const issued = await challenges.find(kv, response, purpose, now);
    if (issued === null) return { result: EXPIRED };
    const spent = kv.atomic();
    challenges.use(spent, issued.entry, now);

    const entry = await operatorPasskeys.get(kv, passkeyId(response.id));
    const passkey = entry.value;
    const refuse = <Result>(result: Result) => {
      independent("A refusal only uses up its challenge.");
      return { result, commit: spent };
    };
    if (passkey === null || passkey.surface !== surface.name) return refuse(REFUSED);
    const party = partyOf(surface);
    const verified = await verifySignIn(response, issued.challenge, passkey, party);
    if (verified === null) return refuse(REFUSED);
    const alarm = counterAlarm(passkey, verified);
    if (alarm !== null) {
      const { organisation } = surface;
      const { value: account } = await accounts.get(kv, passkey.user_id, surface.name);
      const by = account?.email ?? "";
      addAudit(spent, { organisation, by, action: "passkey_counter" }, now);
      return refuse({ ...REFUSED, alarm });
    }
    const commit = kv.atomic().check(entry);
    challenges.use(commit, issued.entry, now);
    const result = await addTo(commit, passkey, now);
    if (!result.ok) return refuse(result);
    operatorPasskeys.set(commit, { ...passkey, ...usedCredential(verified, now) });
    return { result, commit };
  });
  if (alarm !== undefined) log({ level: "warn", event: "passkey_counter_went_back", ...alarm });
  return result;
}
