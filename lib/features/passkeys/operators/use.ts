/** Signing in to a console with a passkey, and confirming an open session with one. */
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import type { Failure } from "../../../base/result.ts";
import type { Device } from "../../../platform/http/device.ts";
import { apart } from "../../../platform/kv/mod.ts";
import type { Surface } from "../../../platform/surfaces/mod.ts";
import { addAudit } from "../../audit/mod.ts";
import { renewSession, type SignedIn, signIns, startPasskeySession } from "../../auth/mod.ts";
import { EXPIRED, REFUSED } from "../failures.ts";
import { OPERATOR_LIMITS } from "../limits.ts";
import { requestOptions, signInPurpose, usePasskey } from "../use.ts";
import type { PasskeyDeps } from "./deps.ts";
import { SESSION_ENDED } from "./failures.ts";
import { accounts, type OperatorPasskey } from "./tables.ts";

/** The purpose of the challenge with which a session is confirmed. */
const confirmationPurpose = ({ id: session }: SignedIn) =>
  ({ ceremony: "confirmation", session }) as const;

/** Returns the options for the confirmation of a session, which name the operator's passkeys. */
export const confirmationOptions = (
  deps: PasskeyDeps,
  { session, surface }: { session: SignedIn; surface: Surface },
) =>
  requestOptions(deps, {
    surface,
    purpose: confirmationPurpose(session),
    window: OPERATOR_LIMITS.confirmations.of([session.id]),
    owner: { user_id: session.user_id, surface: surface.name },
  });

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
  const result = await usePasskey(deps, {
    surface,
    purpose: signInPurpose(browser),
    owner: { surface: surface.name },
    wentBack: counterWentBack(deps, surface),
    async accept(commit, { user_id }, now) {
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
    },
  }, response);
  if (result.ok) count(signIns, { who: "user", method: "passkey" });
  return result;
}

/** Records the use of a passkey in a session, which continues under a new cookie. */
export const confirm = (
  deps: PasskeyDeps,
  { session, surface }: { session: SignedIn; surface: Surface },
  response: AuthenticationResponseJSON,
): Promise<{ ok: true; cookie: string } | Failure> =>
  usePasskey(deps, {
    surface,
    purpose: confirmationPurpose(session),
    owner: { surface: surface.name },
    wentBack: counterWentBack(deps, surface),
    async accept(commit, passkey, now) {
      if (passkey.user_id !== session.user_id) return REFUSED;
      const renewed = await renewSession(deps.kv, commit, session.id, now);
      return renewed === null ? SESSION_ENDED : { ok: true, cookie: renewed.cookie };
    },
  }, response);

/** Writes to the audit log that the counter of an operator's passkey went back. */
const counterWentBack = (
  { kv }: Pick<PasskeyDeps, "kv">,
  { name, organisation }: Surface,
) =>
async (commit: Deno.AtomicOperation, { user_id }: OperatorPasskey, now: number) => {
  const { value: account } = await accounts.get(kv, user_id, name);
  const by = account?.email ?? "";
  addAudit(commit, { organisation, by, action: "passkey_counter" }, now);
};
