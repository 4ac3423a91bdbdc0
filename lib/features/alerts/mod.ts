import { z } from "zod";
import {
  changeVersion,
  createDerivedValues,
  type Expiring,
  expiring,
  getLive,
  isLive,
  isoAfter,
  transact,
} from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import { readByTime, readPage, type TimeKey } from "../../platform/listing/pages.ts";
import { addAudit, type AuditAction } from "../audit/mod.ts";
import {
  ALERT_REF,
  type AlertList,
  alertListOf,
  type AlertNames,
  type AlertQuery,
  type AlertState,
} from "./filters.ts";

export {
  type AlertFilters,
  type AlertList,
  type AlertNames,
  type AlertQuery,
  type AlertState,
} from "./filters.ts";

/** The objects that an alert names, by the kind of thing. */
export interface AlertLinks {
  /** The hash of a record. */
  record?: string;
  document?: string;
  /** The id of an access request. */
  request?: string;
  /** The id of a mail that could not be sent. */
  mail?: string;
  payment?: string;
  /** The id of a user of the qualification site. */
  user?: number;
}

/** One report of an alert's problem. */
export interface AlertReport {
  /** ISO 8601 in UTC. */
  at: string;
  links: AlertLinks;
  /** Stable codes by name, such as the reason of a failure. The text is composed when shown. */
  details: Readonly<Record<string, string | number>>;
}

/** Something that administrators of one organisation should know. It contains no personal data. */
export interface Alert extends Expiring {
  id: string;
  organisation: OrganisationKey;
  kind: string;
  /** Identifies the problem, see {@link NewAlert}. */
  problem: string;
  state: AlertState;
  /** The time of the latest report, ISO 8601 in UTC. */
  at: string;
  /** The time of the first report. */
  first_at: string;
  /** How many times the problem was reported. */
  count: number;
  /** The latest reports, newest first, at most {@link MOST_REPORTS}. */
  reports: AlertReport[];
  /** The administrator who set the state, or `holder`. Null: nobody yet, or the site itself. */
  by: string | null;
  /** When the state was set; null for a new alert. */
  changed_at: string | null;
}

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
  /** By default {@link ALERT_LIFETIME_MS} after the latest report. */
  expires_at?: string;
}

export type Problem = Pick<NewAlert, "organisation" | "kind" | "problem">;

/** Identifies an alert since its latest report. */
export type AlertRef = Pick<Alert, "organisation" | "at" | "id">;

/** The alerts of an organisation in short. */
export interface AlertOverview {
  /** The number of unread alerts, at most {@link MOST_COUNTED}. */
  unread: number;
  /** The newest alerts that need attention, at most {@link MOST_NEWEST}. */
  open: readonly Alert[];
}

/** The alerts of the consoles. */
export interface Alerts {
  /** The names of all kinds for people. */
  kinds: AlertNames;
  /** The filters and URLs of the alerts page. */
  filters: AlertList;
  /**
   * Returns a page of an organisation's alerts, newest first.
   *
   * @param query.limit by default {@link ALERT_PAGE_SIZE}
   */
  list(
    organisation: OrganisationKey,
    query?: AlertQuery & { limit?: number },
  ): Promise<{ alerts: Alert[]; cursor: string | null }>;
  /** Returns the newest alerts that need attention. */
  open(organisation: OrganisationKey, limit: number): Promise<Alert[]>;
  /** Returns what every page of a console needs. It costs one key until an alert changes. */
  overview(organisation: OrganisationKey): Promise<AlertOverview>;
  /** Returns the number of unread alerts, at most {@link MOST_COUNTED}. */
  countUnread(organisation: OrganisationKey): Promise<number>;
  /** Marks the unread alerts as read, at most {@link MOST_COUNTED} of them. */
  markRead(organisation: OrganisationKey, by: string): Promise<void>;
  /** Returns one alert; null if it does not exist or its problem was reported again since. */
  read(ref: AlertRef): Promise<Alert | null>;
  /**
   * Sets the state of one alert; `read` also opens an alert again that was done. Fails with
   * `conflict` if the problem was reported again in the meantime.
   */
  setState(
    ref: AlertRef,
    state: Exclude<AlertState, "unread">,
    by: string,
  ): Promise<{ ok: true } | Failure<"not_found" | "conflict">>;
  /** Reports a problem that has no commit of its own. */
  report(alert: NewAlert): Promise<void>;
  /** Marks the alert of a problem as done because the problem has ended. */
  resolve(problem: Problem): Promise<void>;
  /** Removes what alerts say about a record that is deleted. */
  recordData: { name: string; deleteOf(hash: string): Promise<void> };
}

export const MOST_COUNTED = 100;
export const MOST_NEWEST = 5;
/** How many reports an alert keeps. */
export const MOST_REPORTS = 20;
/** How long an alert is kept after the latest report. */
export const ALERT_LIFETIME_MS = 90 * DAY_MS;
const ALERT_PAGE_SIZE = 20;
/** How many alerts are read for one page; then the page ends, whether or not it is full. */
const MOST_READ = 5_000;

/** A reference to an alert in a form. */
export const alertRefSchema = z.string().regex(ALERT_REF, "a reference to an alert");

export const formatAlertRef = ({ at, id }: Pick<Alert, "at" | "id">): string => `${at}~${id}`;

const keyOf = (ref: string): TimeKey => ref.split("~") as [string, string];

export function parseAlertRef(organisation: OrganisationKey, text: string): AlertRef {
  const [at, id] = keyOf(text);
  return { organisation, at, id };
}

const alertKey = ({ organisation, at, id }: AlertRef): Deno.KvKey => [
  "alerts",
  organisation,
  at,
  id,
];
const unreadKey = ({ organisation, at, id }: AlertRef): Deno.KvKey => [
  "alerts_unread",
  organisation,
  at,
  id,
];
/** Its value refers to the open alert of a problem. */
const openKey = ({ organisation, kind, problem }: Problem): Deno.KvKey => [
  "alerts_open",
  organisation,
  kind,
  problem,
];
/** Its value refers to an alert that names a record. */
const recordKey = (hash: string, { organisation, id }: AlertRef): Deno.KvKey => [
  "alerts_by_record",
  hash,
  organisation,
  id,
];

/** Every commit that changes alerts of an organisation changes the version of this row. */
const versionKey = (
  organisation: OrganisationKey,
): Deno.KvKey => ["versions", organisation, "alerts"];

type Pointer = Expiring & Pick<Alert, "at" | "id">;

/**
 * Creates the alerts of the consoles. Features report problems with {@link addAlert}.
 *
 * @param options.alertKinds the names of all kinds. Default: none
 */
export function createAlerts(
  { kv, clock, alertKinds: kinds = {} }: {
    kv: Deno.Kv;
    clock: () => number;
    alertKinds?: AlertNames;
  },
): Alerts {
  const filters = alertListOf(kinds);
  const derived = createDerivedValues({ clock });
  const unread = (organisation: OrganisationKey) =>
    Array.fromAsync(
      kv.list<Expiring>({ prefix: ["alerts_unread", organisation] }, { limit: MOST_COUNTED }),
    );

  /** Reads all alerts, newest first, whether or not they match or have expired. */
  async function* readAlerts(organisation: OrganisationKey, limit: number, after?: string) {
    const batches = readByTime<Alert>(kv, ["alerts", organisation], {
      after: after === undefined ? undefined : keyOf(after),
      first: limit + 1,
    });
    for await (const { entries } of batches) yield* entries.map(({ value }) => readRow(value));
  }

  async function list(
    organisation: OrganisationKey,
    { limit = ALERT_PAGE_SIZE, ...query }: AlertQuery & { limit?: number } = {},
  ) {
    const matches = filters.matcher(query);
    const { page, last } = await readPage(readAlerts(organisation, limit, query.after), {
      size: limit,
      most: MOST_READ,
      matches: (alert) => isLive(alert, clock()) && matches(alert),
    });
    return { alerts: page, cursor: last && formatAlertRef(last) };
  }

  return {
    kinds,
    filters,
    list,
    async read(ref) {
      const entry = await getLive<Alert>(kv, alertKey(ref), clock());
      return entry && readRow(entry.value);
    },
    open: async (organisation, limit) =>
      (await list(organisation, { state: "open", limit })).alerts,
    async overview(organisation) {
      const { versionstamp } = await kv.get(versionKey(organisation));
      return await derived.get(organisation, versionstamp, async () => {
        const [rows, { alerts: open }] = await Promise.all([
          unread(organisation),
          list(organisation, { state: "open", limit: MOST_NEWEST }),
        ]);
        const live = rows.map(({ value }) => value).filter((row) => isLive(row, clock()));
        const until = Math.min(...[...live, ...open].map((row) => Date.parse(row.expires_at)));
        return { value: { unread: live.length, open }, until };
      });
    },
    async countUnread(organisation) {
      return (await unread(organisation)).filter(({ value }) => isLive(value, clock())).length;
    },
    async markRead(organisation, by) {
      for (const { key } of await unread(organisation)) {
        const ref = { organisation, at: String(key[2]), id: String(key[3]) };
        await transact(async () => {
          const entry = await kv.get<Alert>(alertKey(ref));
          const commit = kv.atomic().check(entry).delete(unreadKey(ref));
          changeVersion(commit, versionKey(organisation));
          if (entry.value?.state === "unread") {
            setState(commit, readRow(entry.value), { state: "read", by, now: clock() });
          }
          return { result: undefined, commit };
        });
      }
    },
    setState: (ref, state, by) =>
      transact<{ ok: true } | Failure<"not_found" | "conflict">>(async () => {
        const now = clock();
        const entry = await kv.get<Alert>(alertKey(ref));
        const alert = entry.value && isLive(entry.value, now) ? readRow(entry.value) : null;
        if (alert === null) return { result: fail("not_found", { message: CHANGED }) };
        if (alert.state === state) return { result: { ok: true } };
        const commit = kv.atomic().check(entry);
        if (alert.state === "done") {
          const open = await kv.get<Pointer>(openKey(alert));
          if (open.value !== null && isLive(open.value, now)) {
            return { result: fail("conflict", { message: REPORTED_AGAIN }) };
          }
          commit.check(open);
        }
        setState(commit, alert, { state, by, now });
        const action = AUDITED[`${alert.state} ${state}`];
        if (action !== undefined) {
          const { organisation, kind: detail, reports: [{ links }] } = alert;
          const object = links.record === undefined ? {} : { record: links.record };
          addAudit(commit, { organisation, by, action, object, detail }, now);
        }
        return { result: { ok: true }, commit };
      }),
    report: (alert) =>
      transact(async () => {
        const commit = kv.atomic();
        await addAlert(kv, commit, alert, clock());
        return { result: undefined, commit };
      }),
    resolve: (problem) =>
      transact(async () => {
        const commit = kv.atomic();
        const found = await setAlertState(kv, commit, problem, {
          state: "done",
          by: null,
          now: clock(),
        });
        return found ? { result: undefined, commit } : { result: undefined };
      }),
    recordData: {
      name: "alerts",
      async deleteOf(hash) {
        for await (const { key } of kv.list({ prefix: ["alerts_by_record", hash] })) {
          await transact(() => forget(kv, hash, key, clock()));
        }
      },
    },
  };
}

/** The changes of an alert's state that the audit log shows. */
const AUDITED: Record<string, AuditAction | undefined> = {
  "unread done": "alert_done",
  "read done": "alert_done",
  "done read": "alert_reopened",
};

const CHANGED = "This alert has changed or was deleted. Check the list below.";
const REPORTED_AGAIN = "There is a newer alert about the same thing.";

/** Fills in the fields that alerts of an earlier version of the site lack. */
function readRow(stored: Alert & { links?: AlertLinks }): Alert {
  if (stored.reports !== undefined) return stored;
  const { links = {}, ...row } = stored;
  const report: AlertReport = { at: row.at, links, details: {} };
  return {
    ...row,
    problem: row.id,
    first_at: row.at,
    count: 1,
    reports: [report],
    changed_at: null,
  };
}

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
  let before: Alert | null = null;
  if (entry !== null) {
    commit.check(entry);
    before = entry.value;
    remove(commit, before);
  }
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
  save(commit, alert, now);
}

/**
 * Adds a new state of the open alert of a problem to a commit.
 *
 * @returns false if there is no such alert; then nothing is added
 */
export async function setAlertState(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  problem: Problem,
  { state, by, now }: { state: Exclude<AlertState, "unread">; by: string | null; now: number },
): Promise<boolean> {
  const { pointer, entry } = await readOpen(kv, problem, now);
  commit.check(pointer);
  if (entry === null) return false;
  setState(commit.check(entry), entry.value, { state, by, now });
  return true;
}

async function readOpen(kv: Deno.Kv, problem: Problem, now: number) {
  const pointer = await kv.get<Pointer>(openKey(problem));
  if (pointer.value === null || !isLive(pointer.value, now)) return { pointer, entry: null };
  const { organisation } = problem;
  const entry = await kv.get<Alert>(alertKey({ organisation, ...pointer.value }));
  return { pointer, entry: entry.versionstamp === null ? null : entry };
}

function setState(
  commit: Deno.AtomicOperation,
  alert: Alert,
  { state, by, now }: { state: AlertState; by: string | null; now: number },
): void {
  commit.delete(unreadKey(alert)).delete(openKey(alert));
  save(commit, { ...alert, state, by, changed_at: new Date(now).toISOString() }, now);
}

function save(commit: Deno.AtomicOperation, alert: Alert, now: number): void {
  changeVersion(commit, versionKey(alert.organisation));
  const options = expiring(alert, now);
  const { at, id, expires_at } = alert;
  const pointer: Pointer = { at, id, expires_at };
  commit.set(alertKey(alert), alert, options);
  if (alert.state === "unread") commit.set(unreadKey(alert), { expires_at }, options);
  if (alert.state !== "done") commit.set(openKey(alert), pointer, options);
  for (const hash of recordsOf(alert)) commit.set(recordKey(hash, alert), pointer, options);
}

function remove(commit: Deno.AtomicOperation, alert: Alert): void {
  changeVersion(commit, versionKey(alert.organisation));
  commit.delete(alertKey(alert)).delete(unreadKey(alert)).delete(openKey(alert));
  for (const hash of recordsOf(alert)) commit.delete(recordKey(hash, alert));
}

const recordsOf = ({ reports }: Alert): Set<string> =>
  new Set(reports.map(({ links }) => links.record).filter((hash) => hash !== undefined));

/** Removes the reports about a record from the alert that an index entry refers to. */
async function forget(kv: Deno.Kv, hash: string, key: Deno.KvKey, now: number) {
  const index = await kv.get<Pointer>(key);
  if (index.value === null) return { result: undefined };
  const organisation = key[2] as OrganisationKey;
  const entry = await kv.get<Alert>(alertKey({ organisation, ...index.value }));
  const commit = kv.atomic().check(index, entry).delete(key);
  if (entry.value !== null) {
    remove(commit, entry.value);
    const reports = entry.value.reports.filter(({ links }) => links.record !== hash);
    if (reports.length > 0) save(commit, { ...entry.value, reports }, now);
  }
  return { result: undefined, commit };
}
