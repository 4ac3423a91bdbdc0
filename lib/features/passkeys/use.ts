/** Verifies the use of a passkey, for a sign-in or a confirmation, whoever its owner is. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/server";
import type { Failure } from "../../base/result.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { independent, readSlot, type SlidingWindow, transact } from "../../platform/kv/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";
import { getOptions, verifySignIn } from "./ceremonies.ts";
import type { Purpose } from "./challenges.ts";
import { type Credential, passkeyId } from "./credential.ts";
import { counterAlarm, usedCredential } from "./credential_changes.ts";
import { EXPIRED, REFUSED, tooMany } from "./failures.ts";
import { belongsTo, type OwnerOf, type PasskeysOf } from "./kinds.ts";
import { clientWindow } from "./limits.ts";

type Options = { ok: true; options: PublicKeyCredentialRequestOptionsJSON } | Failure;

/** The purpose of the challenge of a sign-in, in the browser that asked for it. */
export const signInPurpose = (browser: string): Purpose => ({
  ceremony: "sign_in",
  browser: sha256(browser),
});

/**
 * Issues a challenge with the options for `navigator.credentials.get()` on a sign-in page. They name no
 * passkeys and no owner, so they are the same for everyone.
 */
export const signInOptions = <Row extends Credential>(
  of: PasskeysOf<Row>,
  { surface, browser, clientAddress }: {
    surface: Surface;
    browser: string;
    clientAddress: string;
  },
): Promise<Options> =>
  requestOptions(of, {
    surface,
    purpose: signInPurpose(browser),
    window: clientWindow(of.kind.limits, clientAddress),
  });

/**
 * Issues a challenge with the options for `navigator.credentials.get()`.
 *
 * @param owner the owner whose passkeys may respond. Default: anybody's
 */
export function requestOptions<Row extends Credential>(
  { kind, kv, clock, partyOf }: PasskeysOf<Row>,
  { surface, purpose, window, owner }: {
    surface: Surface;
    purpose: Purpose;
    window: SlidingWindow;
    owner?: OwnerOf<Row>;
  },
): Promise<Options> {
  return transact<Options>(async () => {
    const now = clock();
    const [slot, passkeys] = await Promise.all([
      readSlot(kv, window, now),
      owner && kind.list(kv, owner),
    ]);
    if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
    const commit = kv.atomic();
    slot.take(commit);
    const { token: challenge } = kind.challenges.create(commit, purpose, now);
    const options = await getOptions({ party: partyOf(surface), challenge, passkeys });
    return { result: { ok: true, options }, commit };
  });
}

/** The use of a passkey, and what its owner's rules add. */
interface Use<Row extends Credential> {
  surface: Surface;
  purpose: Purpose;
  /** The columns that the passkey must have. */
  owner: Partial<OwnerOf<Row>>;
  /** Adds to the commit of a refusal that the passkey's counter went back. Returns the mails about it. */
  wentBack(
    commit: Deno.AtomicOperation,
    passkey: Row,
    now: number,
  ): Promise<readonly QueuedMail[] | void>;
  /** Adds what the passkey opens to the commit of its use, or refuses it. */
  accept(
    commit: Deno.AtomicOperation,
    passkey: Row,
    now: number,
  ): Promise<{ ok: true; cookie: string } | Failure>;
}

/** The cookie of the session, or why there is none, with the counters if they went back. */
type Used = ({ ok: true; cookie: string } | Failure) & {
  alarm?: { stored: number; received: number };
};

/**
 * Verifies a response in one commit with the use of its challenge, the passkey's counter and what the
 * passkey opens, so that a response is accepted at most once.
 *
 * @returns the `Set-Cookie` value of the session
 */
export async function usePasskey<Row extends Credential>(
  { kind, kv, clock, log, mailer, partyOf }: PasskeysOf<Row>,
  { surface, purpose, owner, wentBack, accept }: Use<Row>,
  response: AuthenticationResponseJSON,
): Promise<{ ok: true; cookie: string } | Failure> {
  const { alarm, ...result } = await transactAndMail<Used>(mailer, async () => {
    const now = clock();
    const issued = (await kind.challenges.find(kv, response, now))(purpose);
    if (issued === null) return { result: EXPIRED };
    const spent = kv.atomic();
    kind.challenges.use(spent, issued.entry, now);

    const refuse = <Result>(result: Result) => {
      independent("A refusal only uses up its challenge.");
      return { result, commit: spent };
    };
    const entry = await kind.table.get(kv, passkeyId(response.id));
    const passkey = entry.value;
    if (!belongsTo(passkey, owner)) return refuse(REFUSED);
    const verified = await verifySignIn(response, issued.challenge, passkey, partyOf(surface));
    if (verified === null) return refuse(REFUSED);
    const alarm = counterAlarm(passkey, verified);
    if (alarm !== null) {
      const mails = await wentBack(spent, passkey, now) ?? [];
      return { ...refuse({ ...REFUSED, alarm }), mails };
    }
    const commit = kv.atomic().check(entry);
    kind.challenges.use(commit, issued.entry, now);
    const result = await accept(commit, passkey, now);
    if (!result.ok) return refuse(result);
    commit.set(entry.key, { ...passkey, ...usedCredential(verified, now) });
    return { result, commit };
  });
  if (alarm !== undefined) log({ level: "warn", event: "passkey_counter_went_back", ...alarm });
  return result;
}
