import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import { signIns } from "../auth/mod.ts";
import { addressKey } from "../../platform/http/client_address.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { readSlot, type SlidingWindow, transact, unchecked } from "../../platform/kv/mod.ts";
import { addAccess, readCurrentRecord, type Reader, startSession } from "../records/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import {
  counterAlarm,
  EXPIRED,
  getOptions,
  passkeyId,
  REFUSED,
  type RelyingParty,
  tooMany,
  usedCredential,
  verifySignIn,
} from "../webauthn/mod.ts";
import { challenges } from "./challenges.ts";
import { passkeys } from "./store.ts";

interface SignInDeps {
  kv: Deno.Kv;
  clock: () => number;
  log: (entry: Record<string, unknown>) => void;
  count?: Count;
}

/** The browser that signs in, and the place. */
export interface SignInRequest {
  party: RelyingParty;
  surface: SurfaceName;
  /** The id of the browser that asked for the options; null if it sent none. */
  browser: string | null;
  /** The id of the session that the browser has had so far. It ends. */
  previous: string | null;
  reader: Reader;
}

/** The result, with the counters if they went back. */
type SignInResult = ({ ok: true; cookie: string } | Failure) & {
  alarm?: { stored: number; received: number };
};

/** How long requests for options are counted. */
export const OPTIONS_WINDOW_MS = 10 * MINUTE_MS;

/** Limits options for one client. The sign-in page requests them whenever it is opened. */
const clientWindow = (clientAddress: string): SlidingWindow => ({
  key: ["passkey_limits", "client", sha256(addressKey(clientAddress))],
  limit: 100,
  windowMs: OPTIONS_WINDOW_MS,
  approximate: true,
});

/**
 * Issues a challenge with the options for `navigator.credentials.get()`. They name no passkeys and
 * no record, so they are the same for everyone.
 */
export function signInOptions(
  { kv, clock }: SignInDeps,
  { party, browser, clientAddress }: {
    party: RelyingParty;
    browser: string;
    clientAddress: string;
  },
): Promise<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Failure> {
  return transact<{ ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Failure>(
    async () => {
      const now = clock();
      const slot = await readSlot(kv, clientWindow(clientAddress), now);
      if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
      const commit = kv.atomic();
      slot.take(commit);
      const purpose = { ceremony: "sign_in", browser: sha256(browser) } as const;
      const { token } = challenges.create(commit, purpose, now);
      const options = await getOptions({ party, challenge: token });
      return { result: { ok: true, options }, commit };
    },
  );
}

/**
 * Verifies a response and starts a session for the passkey's record, in one commit with the use of
 * the challenge and the passkey's counter, so that a response signs in at most once.
 *
 * @returns the `Set-Cookie` value of the session
 */
export async function signIn(
  { kv, clock, log, count }: SignInDeps,
  { party, surface, browser, previous, reader }: SignInRequest,
  response: AuthenticationResponseJSON,
): Promise<{ ok: true; cookie: string } | Failure> {
  if (browser === null) return EXPIRED;
  const purpose = { ceremony: "sign_in", browser: sha256(browser) } as const;
  const { alarm, ...result } = await transact<SignInResult>(async () => {
    const now = clock();
    const issued = await challenges.find(kv, response, purpose, now);
    if (issued === null) return { result: EXPIRED };
    const commit = kv.atomic();
    challenges.use(commit, issued.entry, now);

    const entry = await passkeys.get(kv, passkeyId(response.id));
    const verified = entry.value &&
      await verifySignIn(response, issued.challenge, entry.value, party);
    if (entry.versionstamp === null || verified === null) {
      unchecked("A refusal only uses up its challenge.", entry);
      return { result: REFUSED, commit };
    }

    const passkey = entry.value;
    commit.check(entry);
    const alarm = counterAlarm(passkey, verified);
    if (alarm !== null) {
      const access = { what: "passkey_counter", detail: passkey.name, reader } as const;
      addAccess(commit, passkey.contact_hash, access, now);
      return { result: { ...REFUSED, alarm }, commit };
    }
    // A correction moves passkeys after it took effect.
    const record = await readCurrentRecord(kv, passkey.contact_hash);
    if (record === null) return { result: REFUSED, commit };
    const started = await startSession(kv, commit, {
      surface,
      choices: [record.hash],
      method: "passkey",
      previous,
      reader,
    }, now);
    if (started === null) return { result: REFUSED, commit };
    commit.set(entry.key, { ...passkey, ...usedCredential(verified, now) });
    return { result: { ok: true, cookie: started.cookie }, commit };
  });
  if (alarm !== undefined) log({ level: "warn", event: "passkey_counter_went_back", ...alarm });
  if (result.ok) count?.(signIns, { who: "holder", method: "passkey" });
  return result;
}
