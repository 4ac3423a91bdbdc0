/** The rows of alerts in the store: their schema, indexes and changes of state. */
import { z } from "zod";
import {
  changeVersion,
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  transact,
  unchecked,
} from "../../platform/kv/mod.ts";
import type { RowPosition } from "../../platform/listing/pages.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, inDays } from "../../base/time.ts";

/** The objects that an alert names, by the kind of thing. */
const alertLinks = z.strictObject({
  /** The hash of a record. */
  record: z.string().optional(),
  document: z.string().optional(),
  /** The id of an access request. */
  request: z.string().optional(),
  /** The id of a mail that could not be sent. */
  mail: z.string().optional(),
  payment: z.string().optional(),
  /** The id of an issuer. */
  issuer: z.string().optional(),
  /** The id of a user of the qualification site. */
  user: z.number().optional(),
});

export type AlertLinks = z.infer<typeof alertLinks>;

/** One report of an alert's problem. */
const alertReport = z.strictObject({
  at: z.iso.datetime(),
  links: alertLinks,
  /** Stable codes by name, such as the reason of a failure. The text is composed when shown. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
});

export type AlertReport = z.infer<typeof alertReport>;

/** The state of an alert, who set it, and when. */
const ALERT_STATE = {
  /** `done`: no action is required any longer. */
  state: z.enum(["unread", "read", "done"]),
  /** The administrator who set the state, or `holder`. Null: nobody yet, or the site itself. */
  by: z.string().nullable(),
  /** When the state was set; null for a new alert. */
  changed_at: z.iso.datetime().nullable(),
};

/** An alert and its state, to restore it with {@link restoreAlert}. */
export const alertState = z.strictObject({ at: z.string(), id: z.string(), ...ALERT_STATE });

/** Something that administrators of one organisation should know. It contains no personal data. */
const alert = z.strictObject({
  id: z.string(),
  organisation: z.enum(["foundation", "commercial"]),
  kind: z.string(),
  /** Identifies the problem, see {@link NewAlert}. */
  problem: z.string(),
  ...ALERT_STATE,
  /** The time of the latest report. */
  at: z.iso.datetime(),
  /** The time of the first report. */
  first_at: z.iso.datetime(),
  /** How many times the problem was reported. */
  count: z.number(),
  /** The latest reports, newest first, at most {@link MOST_REPORTS}. */
  reports: z.array(alertReport),
  ...EXPIRING,
});

export type Alert = z.infer<typeof alert>;
export type AlertState = Alert["state"];

/** Something to report in an alert. */
export interface NewAlert {
  organisation: OrganisationKey;
  /** A kind that the feature declares in `alerts` of its `feature.ts`. */
  kind: string;
  /**
   * Identifies the problem among those of its kind, such as the id of a payment. Further reports
   * are counted in its open alert. Must not contain personal data.
   */
  problem: string;
  links?: AlertLinks;
  details?: AlertReport["details"];
  /** When the alert expires. Default: {@link ALERT_LIFETIME_MS} after the latest report. */
  expires_at?: string;
}

/** Identifies the open alert of a problem. */
type Problem = Pick<NewAlert, "organisation" | "kind" | "problem">;

/** Identifies an alert since its latest report. */
export type AlertRef = RowPosition & { organisation: OrganisationKey };

/** How many reports an alert keeps. */
export const MOST_REPORTS = 20;
/** How long an alert is kept after the latest report. */
export const ALERT_LIFETIME_MS = 90 * DAY_MS;
export const ALERT_LIFETIME_TEXT = inDays(ALERT_LIFETIME_MS);

/** The value of indexes that lead to an alert. */
export type Pointer = RowPosition & { expires_at: string };

const pointerTo = ({ at, id, expires_at }: Alert): Pointer => ({ at, id, expires_at });

/** The alerts by what the filters of the list select: a state or `open` or `all`, and a kind or none. */
export const BY_FILTER = "alerts_by_filter";
/** The alerts that are marked as read, by when they were. */
export const BY_READ = "alerts_by_read";

/** Returns how the keys of an alert in that index begin: with a state and a kind, or an empty text for all kinds. */
const filterKeys = ({ state, kind }: Pick<Alert, "state" | "kind">): string[][] => {
  const states = state === "done" ? [state] : [state, "open"];
  return [["all", kind], ...states.flatMap((each) => [[each, kind], [each, ""]])];
};

export const alertRows = defineTable({
  prefix: "alerts",
  value: alert,
  key: ["organisation", "at", "id"],
  indexes: {
    alerts_unread: {
      keysOf: ({ organisation, at, id, state }: Alert) =>
        state === "unread" ? [[organisation, at, id]] : [],
      value: ({ expires_at }: Alert) => ({ expires_at }),
    },
    alerts_open: {
      keysOf: ({ organisation, kind, problem, state }: Alert) =>
        state === "done" ? [] : [[organisation, kind, problem]],
      value: pointerTo,
    },
    alerts_by_record: {
      keysOf: ({ organisation, id, reports }: Alert) =>
        [...new Set(reports.flatMap(({ links }) => links.record ?? []))]
          .map((hash) => [hash, organisation, id]),
      value: pointerTo,
    },
    [BY_FILTER]: {
      keysOf: (row: Alert, key: Deno.KvKey) => filterKeys(row).map((start) => [...start, ...key]),
      value: () => null,
    },
    [BY_READ]: {
      keysOf: ({ organisation, state, changed_at, at, id }: Alert) =>
        state === "read" && changed_at ? [[changed_at, organisation, at, id]] : [],
      value: () => null,
    },
  },
  owner: "organisation",
  lifetime: expires(`${ALERT_LIFETIME_TEXT} after the latest report`),
  per: "problem",
  privacy: {
    section: "consoles",
    label: "Alerts",
    text:
      "Alerts about requests for access, email and notifications that could not be delivered, " +
      "failed payments, our bank, mail server and settings, invalid chains, and public logs that " +
      "contradict themselves. An alert names the " +
      "record, document, request, payment or account by its number, without names or addresses. If " +
      "you mark an alert as read or done, or reopen it, or if you decide on its request, it shows " +
      "your email address and the time to the other administrators of your organisation. We keep " +
      `an alert for ${ALERT_LIFETIME_TEXT} after its problem was last reported, and what it says ` +
      "about a record only until the record is deleted.",
  },
});

/** Every commit that changes alerts of an organisation changes the version of this row. */
export const versionKey = (
  organisation: OrganisationKey,
): Deno.KvKey => ["versions", organisation, "alerts"];

/**
 * Reports a problem in the commit that detects it: as a new alert, or in its open alert, which
 * becomes unread again. Run it again with a new commit if the commit fails.
 *
 * @example
 * ```ts
 * await addAlert(kv, commit, {
 *   organisation,
 *   kind: "payment_failed",
 *   problem: payment.id,
 *   links: { payment: payment.id },
 * }, now);
 * ```
 */
export async function addAlert(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { organisation, kind, problem, links = {}, details = {}, expires_at }: NewAlert,
  now: number,
): Promise<void> {
  const { pointer, entry } = await readOpen(kv, { organisation, kind, problem }, now);
  commit.check(pointer);
  const time = new Date(now).toISOString();
  const report: AlertReport = { at: time, links, details };
  const before = entry?.value ?? null;
  const alert: Alert = {
    id: before?.id ?? crypto.randomUUID(),
    organisation,
    kind,
    problem,
    state: "unread",
    // If the clock was set back, the alert still has a time of its own.
    at: before !== null && before.at > time ? before.at : time,
    first_at: before?.first_at ?? time,
    count: (before?.count ?? 0) + 1,
    reports: [report, ...before?.reports ?? []].slice(0, MOST_REPORTS),
    by: null,
    changed_at: null,
    expires_at: expires_at ?? isoAfter(now, ALERT_LIFETIME_MS),
  };
  change(commit, before, alert, now);
}

/**
 * Adds a new state of the open alert of a problem to a commit.
 *
 * @returns the alert before; null if there is no such alert, then nothing is added
 */
export async function setAlertState(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  problem: Problem,
  { state, by, now }: { state: Exclude<AlertState, "unread">; by: string | null; now: number },
): Promise<Alert | null> {
  const { pointer, entry } = await readOpen(kv, problem, now);
  commit.check(pointer);
  if (entry === null) return null;
  setState(commit, entry.value, { state, by, now });
  return entry.value;
}

/**
 * Adds an earlier state of an alert that is done to a commit. Adds nothing if the alert was deleted
 * or opened since, or if its problem was reported again.
 */
export async function restoreAlert(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { organisation, at, id, ...before }: AlertRef & z.infer<typeof alertState>,
  now: number,
): Promise<void> {
  const entry = await alertRows.get(kv, organisation, at, id);
  commit.check(entry);
  if (entry.value === null || !isLive(entry.value, now) || entry.value.state !== "done") return;
  const open = await readOpen(kv, entry.value, now);
  commit.check(open.pointer);
  if (open.entry !== null) return;
  change(commit, entry.value, { ...entry.value, ...before }, now);
}

/**
 * Reads the open alert of a problem, with the row that leads to it. Every change of the alert also writes that
 * row, which is read first, so a commit checks only that one.
 */
export async function readOpen(
  kv: Deno.Kv,
  { organisation, kind, problem }: Problem,
  now: number,
) {
  const pointer = await kv.get<Pointer>(["alerts_open", organisation, kind, problem]);
  if (pointer.value === null || !isLive(pointer.value, now)) return { pointer, entry: null };
  const { at, id } = pointer.value;
  const entry = await alertRows.get(kv, organisation, at, id);
  unchecked("Every change of an alert also writes the row that leads to it.", entry);
  return { pointer, entry: entry.versionstamp === null ? null : entry };
}

export function setState(
  commit: Deno.AtomicOperation,
  alert: Alert,
  { state, by, now }: { state: AlertState; by: string | null; now: number },
): void {
  change(commit, alert, { ...alert, state, by, changed_at: new Date(now).toISOString() }, now);
}

/** Adds the replacement of an alert to a commit. It is new without `before`, and deleted without `after`. */
function change(
  commit: Deno.AtomicOperation,
  before: Alert | null,
  after: Alert | null,
  now: number,
): void {
  if (before !== null) alertRows.delete(commit, before);
  if (after !== null) alertRows.set(commit, after, now);
  changeVersion(commit, versionKey((after ?? before)!.organisation));
}

/** Removes what alerts say about a record. */
export async function deleteReportsOf(kv: Deno.Kv, hash: string, now: number): Promise<void> {
  for await (const { key } of kv.list({ prefix: ["alerts_by_record", hash] })) {
    await transact(async () => {
      const index = await kv.get<Pointer>(key);
      if (index.value === null) return { result: undefined };
      const { at, id } = index.value;
      const entry = await alertRows.get(kv, key[2] as OrganisationKey, at, id);
      const commit = kv.atomic().check(index, entry).delete(key);
      if (entry.value !== null) {
        const reports = entry.value.reports.filter(({ links }) => links.record !== hash);
        const after = reports.length > 0 ? { ...entry.value, reports } : null;
        change(commit, entry.value, after, now);
      }
      return { result: undefined, commit };
    });
  }
}
