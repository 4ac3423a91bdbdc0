/** Revokes API keys: by an administrator, by whoever found the key, or with a mailed link. */
import { addressKey } from "../../platform/http/client_address.ts";
import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import type { SignedLink } from "../../platform/http/signed_link.ts";
import { apart, isoAfter, unchecked } from "../../platform/kv/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { eachOf } from "../../base/slots.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { addAlert } from "../alerts/mod.ts";
import { addAudit } from "../audit/mod.ts";
import { readIssuer } from "./change.ts";
import { addKeyNotice, type Revoker } from "./key_mails.ts";
import { type ApiKeyRow, apiKeys, hashOfKey, keyOfIssuer, shortKey, works } from "./key_rows.ts";
import type { FoundKeys } from "./found_keys.ts";
import { isKey } from "./key_text.ts";
import type { KeyWebhook, KeyWebhooks, WebhooksChoice } from "./key_webhooks.ts";
import { KEY_ORGANISATION, type KeyChange, type KeysOptions } from "./key_options.ts";
import { keyOfLink } from "./revocation_link.ts";

/** The alert about a key that was revoked without an administrator. */
export const KEY_REVOKED = "api_key_revoked";

export interface RevocationOptions extends KeysOptions {
  monotonic?: () => number;
  /** Returns the webhooks of keys; none before all features are created. */
  webhooks: () => KeyWebhooks | undefined;
}

/** How many keys one address can report as found in a minute. */
export const FOUND_PER_MINUTE = 120;
const MAX_ADDRESSES = 10_000;

/** A key that the holder of a mailed link may revoke. */
export interface RevocableKey {
  ok: true;
  /** The issuer's name. */
  issuer: string;
  key: ApiKeyRow;
  webhooks: KeyWebhook[];
}

export type KeyRevocation = ReturnType<typeof createKeyRevocation>;

type Found = Deno.KvEntryMaybe<ApiKeyRow> | undefined;
/** `removes`: whether its webhooks go with the key. */
type Revoked = { ok: true; row: ApiKeyRow; removes: boolean } | Failure;

/**
 * Creates what revokes keys: for administrators, for whoever has the key itself, and for the issuer's contact,
 * who has a mailed link. A key that has expired can be revoked too, because its batches then stop.
 */
export function createKeyRevocation(options: RevocationOptions) {
  const { kv, clock, monotonic, mailer, secrets } = options;
  const found = createRateLimiter({
    limit: FOUND_PER_MINUTE,
    windowMs: MINUTE_MS,
    monotonic,
    maxClients: MAX_ADDRESSES,
  });

  const webhooksOf = async (key: ApiKeyRow): Promise<KeyWebhook[]> =>
    await options.webhooks()?.list(key) ?? [];

  async function addTraces(
    commit: Deno.AtomicOperation,
    key: ApiKeyRow,
    how: Revoker,
    now: number,
  ): Promise<void> {
    const links = { issuer: key.issuer };
    if (typeof how === "object") {
      const about = { object: links, detail: shortKey(key) };
      const entry = {
        organisation: KEY_ORGANISATION,
        by: how.by,
        action: "api_key_revoked",
      } as const;
      return addAudit(commit, { ...entry, ...about }, now);
    }
    const alert = { organisation: KEY_ORGANISATION, kind: KEY_REVOKED, problem: key.id };
    await addAlert(kv, commit, { ...alert, links, details: { key: shortKey(key), how } }, now);
  }

  /**
   * Revokes a key, which no process accepts from then on, and whose batches stop. Then removes its webhooks, if
   * the caller chose that; for whoever only has the key, only if it still worked. Fails with `conflict` if it was
   * revoked before, and with an issue for `webhooks` if there are some and nothing was chosen.
   */
  async function end(
    read: () => Promise<Found>,
    how: Revoker,
    choice: WebhooksChoice | undefined,
  ): Promise<Revoked> {
    const revoked = await transactAndMail<Revoked>(mailer, async () => {
      const now = clock();
      const entry = await read();
      if (!entry || entry.versionstamp === null) return { result: fail("not_found") };
      if (entry.value.revoked_at !== null) return { result: conflict(REVOKED) };
      const [{ value: issuer, ...about }, webhooks] = await Promise.all([
        readIssuer(options, KEY_ORGANISATION, entry.value.issuer),
        apart("They are listed again after the commit.", () => webhooksOf(entry.value)),
      ]);
      unchecked("The notice only names the issuer.", about);
      if (webhooks.length > 0 && choice === undefined) {
        return { result: fail("invalid_request", { issues: { webhooks: CHOOSE } }) };
      }
      const removes = choice === "remove" && (how !== "key" || works(entry.value, now));
      const row = { ...entry.value, revoked_at: isoAfter(now, 0) };
      const commit = kv.atomic();
      apiKeys.replace(commit, entry, row);
      await addTraces(commit, row, how, now);
      const mails: QueuedMail[] = issuer === null ? [] : await addKeyNotice(
        options,
        commit,
        { issuer, key: row, what: "revoked", how, webhooks, removed: removes },
        now,
      );
      return { result: { ok: true, row, removes }, commit, mails };
    });
    const by = typeof how === "object" ? how.by : null;
    if (revoked.ok && revoked.removes) await options.webhooks()?.remove(revoked.row, by);
    return revoked;
  }

  /** Returns the key that a mailed link leads to, with its issuer's name and its webhooks. */
  async function readLinked(link: SignedLink): Promise<RevocableKey | Failure<"not_found">> {
    const ref = await keyOfLink(secrets, link);
    if (ref === null) return fail("not_found");
    const [issuer, key] = await Promise.all([
      readIssuer(options, KEY_ORGANISATION, ref.issuer),
      keyOfIssuer(kv, ref.issuer, ref.id),
    ]);
    if (issuer.value === null || key === undefined) return fail("not_found");
    const webhooks = await webhooksOf(key.value);
    return { ok: true, issuer: issuer.value.name, key: key.value, webhooks };
  }

  return {
    /**
     * Revokes a key of an issuer for an administrator.
     *
     * @param revocation.webhooks whether to remove its webhooks, which must be chosen if it has any
     */
    revoke: (
      { issuer, by, key, webhooks }: KeyChange & { key: string; webhooks?: WebhooksChoice },
    ) => end(() => keyOfIssuer(kv, issuer, key), { by }, webhooks),
    /**
     * Revokes the keys that somebody has found. Nothing shows whether there were such keys. Texts that are no
     * keys are ignored. Fails with `rate_limited` if an address sends too many.
     *
     * @param found.removeWebhooks removes the webhooks of those that still worked
     * @param address the IP address of the client
     */
    async revokeFound(
      { keys, removeWebhooks }: FoundKeys,
      address: string,
    ): Promise<{ ok: true } | Failure> {
      const counted = found.take(addressKey(address), keys.length);
      if (!counted.ok) return counted;
      await eachOf(new Set(keys.filter(isKey)), (key) => {
        const hash = hashOfKey(key);
        return end(() => apiKeys.get(kv, hash), "key", removeWebhooks ? "remove" : "keep");
      });
      return { ok: true };
    },
    readLinked,
    /**
     * Revokes the key of a mailed link, unless it was revoked before, and removes its webhooks if that was
     * chosen. Fails with `not_found` if the link was not mailed or the key is no longer listed.
     */
    async revokeLinked(
      link: SignedLink,
      choice: WebhooksChoice | undefined,
    ): Promise<RevocableKey | Failure> {
      const ref = await keyOfLink(secrets, link);
      if (ref === null) return fail("not_found");
      const revoked = await end(() => keyOfIssuer(kv, ref.issuer, ref.id), "link", choice);
      if (!revoked.ok && revoked.error !== "conflict") return revoked;
      const linked = await readLinked(link);
      if (!linked.ok || revoked.ok || choice !== "remove") return linked;
      await options.webhooks()?.remove(linked.key, null);
      return { ...linked, webhooks: [] };
    },
  };
}

const REVOKED = "This key was already revoked.";
const CHOOSE = "Choose whether to remove its webhooks.";

const conflict = (message: string) => fail("conflict", { message });
