/** The alerts of the consoles: listing, counting, marking and reporting them. */
import { z } from "zod";
import {
  changeVersion,
  createDerivedValues,
  type Expiring,
  ifWritable,
  isLive,
  listEach,
  transact,
} from "../../platform/kv/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { parsePosition } from "../../platform/listing/filters.ts";
import { readIndexed, readPage, readRows } from "../../platform/listing/pages.ts";
import { HOUR_MS } from "../../base/time.ts";
import { addAudit, type AuditAction } from "../audit/mod.ts";
import { alertListOf, type AlertQuery } from "./filters.ts";
import type { AlertKinds } from "../../platform/alert_kind.ts";
import { type Cause, causeOf } from "./causes.ts";
import {
  addAlert,
  type Alert,
  type AlertRef,
  alertRows,
  type AlertState,
  BY_FILTER,
  BY_READ,
  deleteReportsOf,
  type NewAlert,
  readOpen,
  setState,
  versionKey,
} from "./store.ts";

export { type AlertFilters, type AlertList, type AlertNames, type AlertQuery } from "./filters.ts";
export {
  addObservation,
  atLeast,
  atMost,
  type Condition,
  type ConditionRow,
  conditions,
  type Observation,
  observe,
} from "./condition.ts";
export { readSenderRefusal, reportSecrets } from "./setup_conditions.ts";
export { RUNBOOK_TEXT } from "./runbook.ts";
export {
  addAlert,
  type Alert,
  ALERT_LIFETIME_MS,
  type AlertLinks,
  type AlertRef,
  type AlertReport,
  type AlertState,
  alertState,
  MOST_REPORTS,
  type NewAlert,
  restoreAlert,
  setAlertState,
} from "./store.ts";

interface AlertOverview {
  /** The number of unread alerts, at most {@link MOST_COUNTED}. */
  unread: number;
  /** The newest alerts that need attention, at most {@link MOST_NEWEST}. */
  open: readonly Alert[];
  /** The number of alerts that need attention by kind, at most {@link MOST_COUNTED} of each. */
  kinds: Readonly<Record<string, number>>;
}

export type Alerts = ReturnType<typeof createAlerts>;

/** The most alerts that are counted or marked at once. */
export const MOST_COUNTED = 100;
const MOST_NEWEST = 5;
const ALERT_PAGE_SIZE = 20;
/** How many alerts are read for one page; then the page ends, whether or not it is full. */
const MOST_READ = 5_000;

/** How long a problem is known that could not be stored. */
const NOTICED_MS = HOUR_MS;
/** The most of them; strangers may cause some. */
const MOST_NOTICED = 50;

/** A reference to an alert in a form. */
export const alertRefSchema = z.string().transform((text, ctx) => {
  const position = parsePosition(text);
  if (position === undefined) ctx.addIssue("a reference to an alert");
  return position ?? z.NEVER;
});

/**
 * Creates the alerts of the consoles. Features report problems with {@link addAlert}.
 *
 * @param options.alertKinds all kinds. Default: none
 */
export function createAlerts(
  { kv, clock, alertKinds = {} }: {
    kv: Deno.Kv;
    clock: () => number;
    alertKinds?: AlertKinds;
  },
) {
  const kinds = Object.fromEntries(
    Object.entries(alertKinds).map(([kind, { name }]) => [kind, name]),
  );
  const filters = alertListOf(kinds);
  /** The urgent problems that the store did not accept, with when they were noticed. */
  const noticed = new Map<string, { cause: Cause; at: number }>();

  function notice(problems: readonly NewAlert[]): void {
    const at = clock();
    for (const problem of problems) {
      const since = new Date(at).toISOString();
      const cause = causeOf(alertKinds, problem, { since });
      const key = JSON.stringify([problem.organisation, problem.kind, problem.problem]);
      if (cause === null || !noticed.has(key) && noticed.size >= MOST_NOTICED) continue;
      noticed.set(key, { cause, at });
    }
  }

  /**
   * Runs the write that stores problems. If the store does not accept it, urgent ones are kept in memory for
   * {@link Alerts.noticed}.
   */
  async function storing(
    problems: readonly NewAlert[],
    write: () => Promise<unknown>,
  ): Promise<void> {
    let isStored: boolean | undefined;
    try {
      isStored = await ifWritable(async () => {
        await write();
        return true;
      });
    } finally {
      if (!isStored) notice(problems);
    }
  }

  const derived = createDerivedValues({ clock });

  /**
   * Returns a page of an organisation's alerts, newest first.
   *
   * @param query.except a kind that is left out
   */
  async function list(
    organisation: OrganisationKey,
    { limit = ALERT_PAGE_SIZE, after, except, ...query }: AlertQuery & {
      limit?: number;
      except?: string;
    } = {},
  ) {
    const { state = "all", kind = "" } = query;
    const range = { after, first: limit + 1 };
    const rows = state !== "all" || kind !== ""
      ? readIndexed(kv, alertRows, [BY_FILTER, state, kind, organisation], clock(), range)
      : readRows(kv, alertRows, [organisation], clock(), range);
    const isSelected = filters.matcher(query); // an alert may change after its index row was read
    const matches = (alert: Alert) => alert.kind !== except && isSelected(alert);
    const { page: alerts, next } = await readPage(rows, { size: limit, most: MOST_READ, matches });
    return { alerts, next };
  }

  return {
    kinds,
    filters,
    list,
    /** Returns one alert; null if it does not exist or its problem was reported again since. */
    async read({ organisation, at, id }: AlertRef): Promise<Alert | null> {
      return (await alertRows.getLive(kv, clock(), organisation, at, id))?.value ?? null;
    },
    /** Returns what every page of a console needs. It costs one key until an alert changes. */
    async overview(organisation: OrganisationKey): Promise<AlertOverview> {
      const { versionstamp } = await kv.get(versionKey(organisation));
      return await derived.get(organisation, versionstamp, async () => {
        const [unread, pointers, { alerts: open }] = await Promise.all([
          unreadRows(kv, organisation),
          // Strangers cause alerts of some kinds, which must not hide those of others.
          Array.fromAsync(
            listEach<Expiring>(kv, ["alerts_open", organisation], { limit: MOST_COUNTED }),
          ),
          list(organisation, { state: "open", limit: MOST_NEWEST }),
        ]);
        const live = ({ value }: { value: Expiring }) => isLive(value, clock());
        const kinds: Record<string, number> = {};
        for (const { key } of pointers.filter(live)) {
          const kind = String(key[2]);
          kinds[kind] = (kinds[kind] ?? 0) + 1;
        }
        const ends = [...unread, ...pointers].filter(live).map(({ value }) => value.expires_at);
        const until = Math.min(...ends.map((end) => Date.parse(end)));
        return { value: { unread: unread.filter(live).length, open, kinds }, until };
      });
    },
    /**
     * Marks the unread alerts as read, at most {@link MOST_COUNTED} of them.
     *
     * @returns the time, ISO 8601 in UTC
     */
    async markRead(organisation: OrganisationKey, by: string): Promise<string> {
      const now = clock();
      for (const { key } of await unreadRows(kv, organisation)) {
        const [, , at, id] = key.map(String);
        await transact(async () => {
          const entry = await alertRows.get(kv, organisation, at, id);
          const commit = kv.atomic().check(entry).delete(key);
          changeVersion(commit, versionKey(organisation));
          if (entry.value?.state === "unread") {
            setState(commit, entry.value, { state: "read", by, now });
          }
          return { result: undefined, commit };
        });
      }
      return new Date(now).toISOString();
    },
    /** Undoes `markRead`: marks those as unread that the same person marked at this time. */
    async markUnread(organisation: OrganisationKey, by: string, at: string): Promise<void> {
      const rows = await alertRows.find(kv, BY_READ, [at, organisation]);
      for (const { value: { state, changed_at, id, ...row } } of rows) {
        if (state !== "read" || row.by !== by || changed_at !== at) continue;
        const ref = { organisation, at: row.at, id };
        await changeState(kv, ref, { state: "unread", by, now: clock() });
      }
    },
    /**
     * Sets the state of one alert; `read` and `unread` also open one that was done. Fails with
     * `conflict` if its problem was reported again since. Returns the state before.
     */
    setState: (ref: AlertRef, state: AlertState, by: string) =>
      changeState(kv, ref, { state, by, now: clock() }),
    /** Reports a problem that has no commit of its own. */
    report: (alert: NewAlert): Promise<void> =>
      transact(async () => {
        const commit = kv.atomic();
        await addAlert(kv, commit, alert, clock());
        return { result: undefined, commit };
      }),
    storing,
    /**
     * Reports problems that must not be missed while the store is read-only: then urgent ones are only mailed.
     */
    reportAnyway: (problems: readonly NewAlert[]): Promise<void> =>
      storing(problems, () =>
        transact(async () => {
          const commit = kv.atomic();
          for (const problem of problems) await addAlert(kv, commit, problem, clock());
          return { result: undefined, commit };
        })),
    /** Returns the causes of the last hour that this process could not store. */
    noticed(): Cause[] {
      for (const [key, { at }] of noticed) {
        if (clock() - at >= NOTICED_MS) noticed.delete(key);
      }
      return Array.from(noticed.values(), ({ cause }) => cause);
    },
    /** Removes what alerts say about a record that is deleted. */
    recordData: { name: "alerts", deleteOf: (hash: string) => deleteReportsOf(kv, hash, clock()) },
  };
}

const unreadRows = (kv: Deno.Kv, organisation: OrganisationKey) =>
  Array.fromAsync(
    kv.list<Expiring>({ prefix: ["alerts_unread", organisation] }, { limit: MOST_COUNTED }),
  );

/**
 * Sets the state of an alert for an administrator; `read` also opens an alert again that was done. Fails
 * with `conflict` if the problem was reported again in the meantime.
 */
const changeState = (
  kv: Deno.Kv,
  { organisation, at, id }: AlertRef,
  { state, by, now }: { state: AlertState; by: string; now: number },
) =>
  transact<{ ok: true; before: AlertState } | Failure<"not_found" | "conflict">>(async () => {
    const entry = await alertRows.getLive(kv, now, organisation, at, id);
    if (entry === null) return { result: fail("not_found", { message: CHANGED }) };
    const { value: alert } = entry;
    const before = alert.state;
    if (before === state) return { result: { ok: true, before } };
    const commit = kv.atomic().check(entry);
    if (alert.state === "done") {
      const open = await readOpen(kv, alert, now);
      if (open.entry !== null) return { result: fail("conflict", { message: REPORTED_AGAIN }) };
      commit.check(open.pointer);
    }
    setState(commit, alert, { state, by, now });
    const action = AUDITED[`${alert.state} ${state}`];
    if (action !== undefined) {
      const { kind: detail, reports: [{ links }] } = alert;
      const object = links.record === undefined ? {} : { record: links.record };
      addAudit(commit, { organisation, by, action, object, detail }, now);
    }
    return { result: { ok: true, before }, commit };
  });

/** The changes of an alert's state that the audit log shows. */
const AUDITED: Record<string, AuditAction | undefined> = {
  "unread done": "alert_done",
  "read done": "alert_done",
  "done read": "alert_reopened",
  "done unread": "alert_reopened",
};

const CHANGED = "This alert has changed or was deleted. Check the list below.";
const REPORTED_AGAIN = "There is a newer alert about the same thing.";
