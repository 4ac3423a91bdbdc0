/** Groups urgent alerts by their cause, so that one mail covers all that belong together. */
import type { AlertKinds, UrgentKind } from "../../platform/alert_kind.ts";
import { createDerivedValues, isLive, listEach } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import { type Alert, alertRows, type NewAlert, type Pointer, versionKey } from "./store.ts";

/** Why somebody has to act now. All alerts of one cause are mailed together, and once. */
export interface Cause {
  /** The console that it concerns, or the whole site. */
  scope: OrganisationKey | "site";
  /** The kind of the first alert, which chooses the name and the section of the runbook. */
  kind: string;
  /** Identifies the cause, together with the scope. */
  id: readonly [kind: string, problem: string];
  /** The ids of the open alerts; none while the store accepts no alert. */
  alerts: readonly string[];
  /** When it was first reported, ISO 8601. */
  since: string;
  /** The details of the latest report that mails may quote. */
  quoted: NonNullable<NewAlert["details"]>;
}

export const keyOf = ({ scope, id }: Cause): string => JSON.stringify([scope, ...id]);

/** The most open alerts of one kind and console that are read. */
const MOST_READ = 20;

/** Returns the cause of a problem; null if it can wait for the morning. */
export function causeOf(
  kinds: AlertKinds,
  { organisation, kind, problem, details = {} }: NewAlert,
  { alert, since }: { alert?: string; since: string },
): Cause | null {
  const urgent = kinds[kind];
  if (urgent?.severity !== "now") return null;
  return {
    scope: urgent.of === "site" ? "site" : organisation,
    kind,
    id: urgent.cause === undefined ? [kind, problem] : [urgent.cause, ""],
    alerts: alert === undefined ? [] : [alert],
    since,
    quoted: quotedOf(urgent, details),
  };
}

/** Returns what a mail may quote, as one line each. */
function quotedOf({ quoted }: UrgentKind, details: Cause["quoted"]): Cause["quoted"] {
  const line = (value: string | number) =>
    String(value).replace(/[\p{Cc}\s]+/gu, " ").slice(0, MOST_QUOTED);
  return Object.fromEntries(
    quoted.flatMap((name) => details[name] === undefined ? [] : [[name, line(details[name])]]),
  );
}

const MOST_QUOTED = 200;

/** Joins those that are the same cause. The first one names it. */
export function joinCauses(causes: readonly Cause[]): Cause[] {
  const joined = new Map<string, Cause>();
  for (const cause of causes) {
    const first = joined.get(keyOf(cause));
    joined.set(
      keyOf(cause),
      first === undefined ? cause : {
        ...first,
        alerts: [...first.alerts, ...cause.alerts],
        since: cause.since < first.since ? cause.since : first.since,
      },
    );
  }
  return [...joined.values()];
}

/** Returns a function that reads the urgent alerts that are open. It costs two keys until an alert changes. */
export function createCauseReader(
  { kv, clock, kinds }: { kv: Deno.Kv; clock: () => number; kinds: () => AlertKinds },
): () => Promise<Cause[]> {
  const derived = createDerivedValues({ clock });

  async function openOf(organisation: OrganisationKey): Promise<Alert[]> {
    const urgent = Object.entries(kinds()).filter(([, { severity }]) => severity === "now");
    const pointers = (await Promise.all(urgent.map(([kind]) =>
      Array.fromAsync(
        listEach<Pointer>(kv, ["alerts_open", organisation, kind], { limit: MOST_READ }),
        ({ value }) => value,
      )
    ))).flat().filter((pointer) => isLive(pointer, clock()));
    const rows = await alertRows.getMany(
      kv,
      pointers.map(({ at, id }) => [organisation, at, id] as const),
    );
    return rows.map(({ value }) => value);
  }

  return async () => {
    const read = await Promise.all(ORGANISATIONS.map(async (organisation) => {
      const { versionstamp } = await kv.get(versionKey(organisation));
      return await derived.get(organisation, versionstamp, async () => ({
        value: await openOf(organisation),
      }));
    }));
    return read.flat().flatMap((alert) => {
      const { id, first_at, reports: [{ details }] } = alert;
      return causeOf(kinds(), { ...alert, details }, { alert: id, since: first_at }) ?? [];
    });
  };
}
