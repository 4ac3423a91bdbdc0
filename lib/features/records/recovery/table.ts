/** The rows of recoveries and of their links, and ending one. */
import { z } from "zod";
import { createSingleUseTokens, defineTable, expires, TOKEN } from "../../../platform/kv/mod.ts";
import { SURFACE_NAMES } from "../../../platform/surfaces/mod.ts";
import { DAY_MS, inDays } from "../../../base/time.ts";
import type { Reader } from "../access_log/access_log.ts";
import { RECOVERY_DELAY_MS } from "../notices/delays.ts";
import type { WithNotices } from "../notices/notices.ts";

export type RecoveriesOptions = Pick<
  WithNotices,
  "kv" | "clock" | "secrets" | "mailer" | "notices" | "surfaces" | "organisations"
>;

/** The reader that the access log names for an action of the server itself. */
export const SERVER: Reader = { network: "of the publisher", browser: "A scheduled job" };

/** How long the link works. */
export const RECOVERY_LINK_LIFETIME_MS = 7 * DAY_MS;

/** How long a row is kept if no job runs. */
export const ROW_LIFETIME_MS = RECOVERY_DELAY_MS + 30 * DAY_MS;

/** ISO 8601 in UTC. */
const time = z.iso.datetime();

/**
 * A recovery: an administrator has checked who the holder is, and gives them access through a new
 * address.
 */
const recoveryRow = z.strictObject({
  /** The new address, encrypted. */
  address: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
  /** The new address as people may see it: `a•••@e•••.org`. */
  masked: z.string(),
  /** The administrator's email address. */
  by: z.string(),
  /** How the administrator checked who the holder is. */
  note: z.string(),
  requested_at: time,
  due_at: time,
  sent_at: time.nullable(),
  /** SHA-256 of the link's token, once it was sent. */
  link: z.string().nullable(),
});

export type RecoveryRow = z.infer<typeof recoveryRow>;

const TABLE = {
  owner: "record",
  lifetime: {
    ...expires(`${inDays(RECOVERY_LINK_LIFETIME_MS)} after the link was sent`),
    job: "recoveries",
  },
  per: "recovery",
  privacy: {
    section: "record",
    label: "Recovery",
    text: "If you have lost every way to sign in and an administrator sends a link to a new " +
      "address: the new address, encrypted; the administrator's address; a note on how they " +
      "checked who you are; and a fingerprint of the link. We keep them until you use the link " +
      `or stop the recovery, or until the link expires after ${inDays(RECOVERY_LINK_LIFETIME_MS)}.`,
  },
} as const;

export const recoveries = defineTable({
  ...TABLE,
  prefix: "record_recoveries",
  value: recoveryRow,
  key: ["hash"],
});

const recoveryLink = z.strictObject({
  /** The record that it opens, which is the one of the recovery. */
  hash: z.string(),
  surface: z.enum(SURFACE_NAMES),
});

export type RecoveryLink = z.infer<typeof recoveryLink>;

export const recoveryTables = [
  recoveries,
  defineTable({ ...TABLE, prefix: "record_recovery_links", value: recoveryLink.extend(TOKEN) }),
];

/** The links to new addresses. Each opens one record. */
export const recoveryLinks = createSingleUseTokens<RecoveryLink>({
  prefix: "record_recovery_links",
  lifetimeMs: RECOVERY_LINK_LIFETIME_MS,
  rememberedMs: DAY_MS,
});

/** Adds the cancellation of a recovery with its link to a commit. Returns false if none is open. */
export async function addCancellation(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  hash: string,
): Promise<boolean> {
  const entry = await recoveries.get(kv, hash);
  commit.check(entry);
  if (entry.versionstamp === null) return false;
  commit.delete(entry.key);
  if (entry.value.link !== null) commit.delete(recoveryLinks.key(entry.value.link));
  return true;
}

/** Returns when the store removes a row, in milliseconds since 1970. */
export const endOf = ({ due_at, sent_at }: RecoveryRow): number =>
  sent_at === null
    ? Date.parse(due_at) - RECOVERY_DELAY_MS + ROW_LIFETIME_MS
    : Date.parse(sent_at) + RECOVERY_LINK_LIFETIME_MS;
