import { z } from "zod";
import { type Expiring, expiring, isLive, transact, whenUnlocked } from "../kv/mod.ts";
import type { OrganisationKey } from "../surfaces/mod.ts";

/** What an alert is about. */
export type AlertKind = "access_requested";

/** `done`: no action is required any longer. */
export type AlertState = "unread" | "read" | "done";

/** Something that administrators of one organisation should know. It contains no personal data. */
export interface Alert extends Expiring {
  id: string;
  organisation: OrganisationKey;
  kind: AlertKind;
  state: AlertState;
  /** ISO 8601 in UTC. */
  at: string;
  /** Who set the state: an administrator's email address, or `holder`. */
  by: string | null;
  /** What it is about, by the kind of thing. */
  links: { record?: string; document?: string; request?: string };
}

export type NewAlert = Omit<Alert, "state" | "by">;

/** Identifies an alert. */
export type AlertRef = Pick<Alert, "organisation" | "at" | "id">;

/** The alerts of the consoles. */
export interface Alerts {
  /** Returns a page of an organisation's alerts, newest first. `cursor` continues a list. */
  list(
    organisation: OrganisationKey,
    options?: { limit?: number; cursor?: string },
  ): Promise<{ alerts: Alert[]; cursor: string | null }>;
  /** Returns the number of unread alerts, at most {@link MOST_COUNTED}. */
  countUnread(organisation: OrganisationKey): Promise<number>;
  /** Marks the unread alerts as read, at most {@link MOST_COUNTED} of them. */
  markRead(organisation: OrganisationKey, by: string): Promise<void>;
}

export const MOST_COUNTED = 100;

/** The cursor of {@link Alerts.list}: the key of the last alert of a page, without its organisation. */
export const alertCursorSchema = z.string()
  .regex(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z~[\w-]{1,64}$/, "the cursor of a page of alerts");

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

/** Creates the alerts of the consoles. Features add alerts with {@link addAlert}. */
export function createAlerts({ kv, clock }: { kv: Deno.Kv; clock: () => number }): Alerts {
  const unread = (organisation: OrganisationKey) =>
    whenUnlocked(() =>
      Array.fromAsync(
        kv.list<Expiring>({ prefix: ["alerts_unread", organisation] }, { limit: MOST_COUNTED }),
      )
    );
  return {
    async list(organisation, { limit = 20, cursor } = {}) {
      const prefix = ["alerts", organisation];
      const entries = await whenUnlocked(() =>
        Array.fromAsync(
          kv.list<Alert>(
            cursor === undefined ? { prefix } : { prefix, end: [...prefix, ...cursor.split("~")] },
            { limit: limit + 1, reverse: true },
          ),
        )
      );
      const page = entries.slice(0, limit);
      return {
        alerts: page.map(({ value }) => value).filter((alert) => isLive(alert, clock())),
        cursor: entries.length > limit ? page[limit - 1].key.slice(2).join("~") : null,
      };
    },
    async countUnread(organisation) {
      return (await unread(organisation)).filter(({ value }) => isLive(value, clock())).length;
    },
    async markRead(organisation, by) {
      for (const { key } of await unread(organisation)) {
        await transact(async () => {
          const commit = kv.atomic();
          const alert = { organisation, at: String(key[2]), id: String(key[3]) };
          await setAlertState(kv, commit, alert, { state: "read", by, now: clock() });
          return { result: undefined, commit };
        });
      }
    },
  };
}

/**
 * Adds a new alert to the commit that causes it.
 *
 * @example
 * ```ts
 * addAlert(commit, { id, organisation, kind: "access_requested", at, links, expires_at }, now);
 * ```
 */
export function addAlert(commit: Deno.AtomicOperation, alert: NewAlert, now: number): void {
  const row: Alert = { ...alert, state: "unread", by: null };
  const unread: Expiring = { expires_at: alert.expires_at };
  commit.set(alertKey(row), row, expiring(row, now))
    .set(unreadKey(row), unread, expiring(unread, now));
}

/** Adds a new state of an alert to a commit. Adds nothing if the alert no longer exists. */
export async function setAlertState(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  ref: AlertRef,
  { state, by, now }: { state: Exclude<AlertState, "unread">; by: string; now: number },
): Promise<void> {
  const entry = await kv.get<Alert>(alertKey(ref));
  commit.check(entry).delete(unreadKey(ref));
  if (entry.value === null || entry.value.state === "done") return;
  commit.set(entry.key, { ...entry.value, state, by }, expiring(entry.value, now));
}

/** Adds the deletion of an alert to a commit. */
export const removeAlert = (commit: Deno.AtomicOperation, ref: AlertRef): void =>
  void commit.delete(alertKey(ref)).delete(unreadKey(ref));
