/** Adds a passkey of an operator on a console. */
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Failure } from "../../../base/result.ts";
import type { Device } from "../../../platform/http/device.ts";
import { apart, isoAfter } from "../../../platform/kv/mod.ts";
import type { Surface } from "../../../platform/surfaces/mod.ts";
import { addAudit } from "../../audit/mod.ts";
import { endSessions, renewSession, type SignedIn } from "../../auth/mod.ts";
import { type Admission, registerPasskey, registrationOptions } from "../registration.ts";
import { changeAccount, readAccount } from "./accounts.ts";
import type { PasskeyDeps } from "./deps.ts";
import { NOT_YET, SESSION_ENDED, WRONG_CODE } from "./failures.ts";
import { gateOf } from "./gate.ts";
import { MAX_ATTEMPTS, permits } from "./permission.ts";
import type { OperatorPasskey } from "./tables.ts";

/** An operator's request that concerns passkeys. */
export interface OperatorRequest {
  session: SignedIn;
  surface: Surface;
  device: Device;
}

/** The session of an operator after an addition. */
interface Renewed {
  id: string;
  cookie: string;
  /** How many passkeys the new one replaced. */
  replaced: number;
}

/**
 * Returns the options for `navigator.credentials.create()`.
 *
 * @param code the code of a permission, if the operator has lost the passkeys
 */
export function additionOptions(
  deps: PasskeyDeps,
  { session, surface }: Omit<OperatorRequest, "device">,
  code?: string,
) {
  const { user_id, email } = session;
  return registrationOptions(deps, {
    owner: { user_id, surface: surface.name },
    surface,
    account: email,
    ask: (now) => askToAdd(deps, { session, surface, code }, now),
  });
}

/**
 * Adds a passkey of an operator, in one commit with the audit log and the mails. It counts as used, so
 * the session continues under a new cookie. The passkey replaces all others if the session began with a
 * link from the server.
 */
export async function addPasskey(
  deps: PasskeyDeps,
  request: OperatorRequest,
  response: RegistrationResponseJSON,
): Promise<{ ok: true; cookie: string } | Failure> {
  const { session: { user_id }, surface, device: { browser } } = request;
  const owner = { user_id, surface: surface.name };
  const ask = (now: number) => askToAdd(deps, request, now);
  const added = await registerPasskey(deps, { owner, surface, browser, ask }, response);
  if (!added.ok) return added;
  const { cookie, id, replaced } = added.done;
  // Somebody may have the passkeys that were replaced.
  if (replaced > 0) {
    await endSessions(deps, { ...owner, only: (each) => each !== id });
  }
  return { ok: true, cookie };
}

/** Reads whether an operator may add a passkey in a session, and returns what that adds. */
async function askToAdd(
  { kv, secrets, operators, notices }: PasskeyDeps,
  { session, surface, device, code }:
    & Pick<OperatorRequest, "session" | "surface">
    & { device?: Device; code?: string },
  now: number,
): Promise<Admission<OperatorPasskey, Renewed> | Failure> {
  const { user_id, email, replaces_passkeys: replaces } = session;
  const { organisation } = surface;
  const whose = { user_id, email, surface: surface.name };
  const account = await readAccount(kv, whose);
  const { permission, passkeys, user_handle: userHandle } = account.row;
  const { adding } = gateOf(session, account.row, { now, required: false });
  if (adding === "link" || adding === "passkey") return NOT_YET[adding];
  const needsCode = adding === "code";
  /** The code of the permission that the challenge is bound to. */
  const boundTo = needsCode ? permission?.code ?? "" : "none";

  return {
    ok: true,
    purpose: { ceremony: "registration", session: session.id, permission: boundTo },
    userHandle,
    passkeys,
    replaces,
    async begin(commit, now) {
      if (!needsCode) {
        changeAccount(commit, organisation, account, {}, now); // the user handle must stay the same
        return { ok: true };
      }
      if (permission === null || permission.attempts >= MAX_ATTEMPTS || code === undefined) {
        return { ok: false, failure: WRONG_CODE, counts: false };
      }
      // Counted before the comparison, so that attempts at the same time count too.
      const attempts = permission.attempts + 1;
      changeAccount(
        commit,
        organisation,
        account,
        { permission: { ...permission, attempts } },
        now,
      );
      return await permits(secrets, permission, whose, code, now)
        ? { ok: true }
        : { ok: false, failure: WRONG_CODE, counts: true };
    },
    async complete(commit, { passkey, replaced }, now) {
      const layer = await apart(
        "Each request reads the layer again.",
        () => operators.layerOf(email, organisation),
      );
      if (layer === null) return SESSION_ENDED;
      const renewed = await renewSession(kv, commit, session.id, now);
      if (renewed === null) return SESSION_ENDED;
      changeAccount(commit, organisation, account, {
        passkeys: replaces ? 1 : passkeys + 1,
        locked: false,
        permission: null,
        ...replaced > 0 && { used_from: isoAfter(now, 0) },
      }, now);
      const detail = replaced > 0 ? `replaces ${replaced}` : null;
      addAudit(commit, { organisation, by: email, action: "passkey_added", detail }, now);
      const kind = replaced > 0 || needsCode ? "replaced" : "added";
      const notice = { kind, whose, surface, passkey, device: device! } as const;
      const mails = await notices.add(commit, notice, now);
      return { ok: true, done: { ...renewed, replaced }, mails };
    },
  };
}
