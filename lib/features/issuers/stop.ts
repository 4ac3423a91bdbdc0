/** Stops an issuer at once, with a mailed link: suspends it, revokes its keys and pauses its webhooks. */
import { eachOf } from "../../base/slots.ts";
import { fail, type Failure } from "../../base/result.ts";
import { formatDateTime } from "../../base/time.ts";
import { isoAfter, transact, unchecked } from "../../platform/kv/mod.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import type { SignedLink } from "../../platform/http/signed_link.ts";
import { addAlert } from "../alerts/mod.ts";
import { addContactMail } from "./key_mails.ts";
import { KEY_ORGANISATION } from "./key_options.ts";
import { type ApiKeyRow, apiKeys, keyOfIssuer, keysOfIssuer, shortKey } from "./key_rows.ts";
import type { KeyWebhook } from "./key_webhooks.ts";
import type { RevocationOptions } from "./revocation.ts";
import { isStopLink } from "./revocation_link.ts";
import { type IssuerRow, issuerRows } from "./rows.ts";

/** The alert about an issuer whose contact has stopped everything. */
export const ISSUER_STOPPED = "issuer_stopped";

/** An issuer that the holder of a mailed link may stop, and what of it still goes on. */
export interface StoppableIssuer {
  ok: true;
  issuer: IssuerRow;
  /** The keys that are not revoked. */
  keys: ApiKeyRow[];
  /** The webhooks that receive events. */
  webhooks: KeyWebhook[];
}

export type IssuerStop = ReturnType<typeof createIssuerStop>;

/**
 * Creates what stops an issuer for its contact, who has a mailed link: it is suspended, so nothing is issued or
 * changed any more; its keys are revoked, so nothing is read; and its webhooks receive nothing. An administrator
 * makes it active again, and creates new keys.
 */
export function createIssuerStop(options: RevocationOptions) {
  const { kv, clock, mailer, secrets } = options;

  /** Reads the issuer of a link; null if it was not mailed to the present contact, or is the organisation itself. */
  async function readIssuer(link: SignedLink): Promise<Deno.KvEntry<IssuerRow> | null> {
    const entry = await issuerRows.get(kv, KEY_ORGANISATION, link.of);
    if (entry.versionstamp === null || entry.value.id === KEY_ORGANISATION) return null;
    return await isStopLink(secrets, entry.value, link) ? entry : null;
  }

  const openKeys = async (issuer: string) => (await keysOfIssuer(kv, issuer)).filter(isOpen);

  async function read(link: SignedLink): Promise<StoppableIssuer | Failure<"not_found">> {
    const entry = await readIssuer(link);
    if (entry === null) return fail("not_found");
    const { id } = entry.value;
    const [keys, webhooks] = await Promise.all([openKeys(id), options.webhooks()?.listActive(id)]);
    const rows = keys.map(({ value }) => value);
    return { ok: true, issuer: entry.value, keys: rows, webhooks: webhooks ?? [] };
  }

  /** Suspends the issuer, and tells its contact and the administrators, unless it was stopped before. */
  const suspend = (link: SignedLink) =>
    transactAndMail<{ ok: true; id: string } | Failure<"not_found">>(mailer, async () => {
      const entry = await readIssuer(link);
      if (entry === null) return { result: fail("not_found") };
      const { id, state } = entry.value;
      const all = await keysOfIssuer(kv, id);
      unchecked("They are listed again after the commit.", ...all);
      const keys = all.filter(isOpen);
      const result = { ok: true as const, id };
      if (state !== "active" && keys.length === 0) {
        unchecked("Nothing of it can go on.", entry);
        return { result };
      }
      const now = clock();
      const at = isoAfter(now, 0);
      const issuer: IssuerRow = state === "active"
        ? { ...entry.value, state: "suspended", state_at: at, state_reason: REASON }
        : entry.value;
      const commit = kv.atomic();
      issuerRows.replace(commit, entry, issuer);
      const alert = { organisation: KEY_ORGANISATION, kind: ISSUER_STOPPED, problem: id };
      const details = { keys: keys.length };
      await addAlert(kv, commit, { ...alert, links: { issuer: id }, details }, now);
      const mails = await addContactMail(options, commit, {
        ...{ issuer, now, parts: STOPPED },
        title: `Everything is stopped for ${issuer.name}`,
        facts: [
          ["Keys", keys.map(({ value }) => shortKey(value)).join(", ") || "none"],
          ["Time", formatDateTime(at)],
        ],
      });
      return { result, commit, mails };
    });

  const revoke = ({ value: { issuer, id } }: Deno.KvEntry<ApiKeyRow>) =>
    transact(async () => {
      const entry = await keyOfIssuer(kv, issuer, id);
      if (entry === undefined || entry.value.revoked_at !== null) return { result: undefined };
      const commit = kv.atomic();
      apiKeys.replace(commit, entry, { ...entry.value, revoked_at: isoAfter(clock(), 0) });
      return { result: undefined, commit };
    });

  return {
    /** Returns the issuer of a link. Fails with `not_found` if it was not mailed to the present contact. */
    readStoppable: read,
    /**
     * Stops everything of the issuer of a link. It can be repeated if it was interrupted. Fails with `not_found` like
     * `readStoppable`.
     */
    async stopAll(link: SignedLink): Promise<StoppableIssuer | Failure<"not_found">> {
      const suspended = await suspend(link);
      if (!suspended.ok) return suspended;
      const { id } = suspended;
      await Promise.all([
        eachOf(await openKeys(id), revoke),
        options.webhooks()?.pauseAll(id),
      ]);
      return await read(link);
    },
  };
}

const isOpen = ({ value }: Deno.KvEntry<ApiKeyRow>): boolean => value.revoked_at === null;

const REASON = "Its contact has stopped everything, with the link in an email about an API key.";
const STOPPED = [
  "The link in one of our emails to you was used. The keys no longer work, batches stop, webhooks receive " +
  "nothing, and nothing is issued or changed, until we make it active again. Documents that were issued " +
  "before stay as they are.",
  "Look at the documents that were issued, replaced and withdrawn, and tell us which ones were not yours.",
];
