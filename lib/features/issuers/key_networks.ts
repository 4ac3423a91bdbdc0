/** Remembers the networks from which each live API key was used, to report a new one. */
import { z } from "zod";
import { defineTable, expires, EXPIRING, isoAfter, unchecked } from "../../platform/kv/mod.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import { DAY_MS, inYears } from "../../base/time.ts";
import { type ApiKeyRow, apiKeys } from "./key_rows.ts";
import type { KeysOptions } from "./key_options.ts";
import type { UnusualUse } from "./unusual_use.ts";

/** How long a network is remembered after a key was last used from it. */
const REMEMBERED_MS = 365 * DAY_MS;
/** A key that is younger gets its networks; from then on, a new one is unusual. */
export const LEARNING_MS = 30 * DAY_MS;
/** The most networks of a key that are remembered. The use of one with more says nothing. */
const MAX_NETWORKS = 50;

/** The networks from which live API keys were used, to notice a new one. */
export const keyNetworks = defineTable({
  prefix: "api_key_networks",
  value: z.strictObject({
    issuer: z.string(),
    /** The id of the key. */
    key: z.string(),
    /** The first 24 bits of an IPv4 address, or the first 48 of an IPv6 address. */
    network: z.string(),
    used_at: z.iso.datetime(),
    ...EXPIRING,
  }),
  key: ["issuer", "key", "network"],
  owner: "organisation",
  lifetime: expires(`${inYears(REMEMBERED_MS)} after the last use, at most as long as the key`),
  per: "live API key and network, at most 50 of a key",
  privacy: {
    section: "consoles",
    label: "Networks of API keys",
    text:
      "If you use the live API key of an organisation: your network (the first three of the four numbers of " +
      "an IPv4 address, or the first 48 bits of an IPv6 address) with the day of its last use, to warn the " +
      `organisation when a stolen key is used elsewhere. We keep it for ${
        inYears(REMEMBERED_MS)
      } ` +
      "after the last use, but not longer than the key.",
  },
});

/**
 * Remembers that a key was used from a network. If the key is live, older than 30 days and was not used from
 * there before, the issuer's contact and the administrators learn of it. A network that is not reported, because
 * others were on the same day, is not remembered, so it is reported when it is used on another day.
 */
export async function noteNetwork(
  { kv, clock, mailer, unusual }:
    & Pick<KeysOptions, "kv" | "clock" | "mailer">
    & { unusual: Pick<UnusualUse, "add"> },
  { hash, issuer, id, mode }: ApiKeyRow,
  network: string,
): Promise<void> {
  if (mode === "test") return;
  await transactAndMail(mailer, async () => {
    const now = clock();
    const [key, entry, known] = await Promise.all([
      apiKeys.get(kv, hash),
      keyNetworks.get(kv, issuer, id, network),
      Array.fromAsync(keyNetworks.list(kv, [issuer, id], { limit: MAX_NETWORKS })),
    ]);
    unchecked("They only limit how many there are.", ...known);
    const isNew = entry.value === null;
    if (key.value === null || isNew && known.length === MAX_NETWORKS) return { result: undefined };
    const commit = kv.atomic().check(key); // it may be removed with its networks
    const expires_at = isoAfter(now, REMEMBERED_MS);
    const row = { issuer, key: id, network, used_at: isoAfter(now, 0), expires_at };
    keyNetworks.replace(commit, entry, row, now);
    const isLearning = now - Date.parse(key.value.created_at) <= LEARNING_MS;
    if (!isNew || isLearning) return { result: undefined, commit };
    const mails = await unusual.add(commit, { key: key.value, what: "network", network }, now);
    return mails === null ? { result: undefined } : { result: undefined, commit, mails };
  });
}

/** Reads the networks of an issuer's keys, by the ids of the keys, those used last first. */
export async function networksOf(kv: Deno.Kv, issuer: string): Promise<Map<string, string[]>> {
  const rows = await Array.fromAsync(keyNetworks.list(kv, [issuer]), ({ value }) => value);
  rows.sort((a, b) => a.used_at < b.used_at ? 1 : -1);
  const byKey = Map.groupBy(rows, ({ key }) => key);
  return new Map([...byKey].map(([key, rows]) => [key, rows.map(({ network }) => network)]));
}

/** Deletes the networks of a key, or of all keys of an issuer. */
export async function forgetNetworks(kv: Deno.Kv, issuer: string, key?: string): Promise<void> {
  const prefix = key === undefined ? [issuer] : [issuer, key];
  for await (const entry of keyNetworks.list(kv, prefix)) await kv.delete(entry.key);
}
