/**
 * Conditions that come and go, such as a balance below its limit or a service that does not respond: when one
 * raises its alert, and when the alert is resolved.
 *
 * @module
 */
import { z } from "zod";
import { defineTable, transact, untilUsed } from "../../platform/kv/mod.ts";
import { addAlert, type NewAlert, readOpen, setAlertState } from "./store.ts";

/** The rule of the conditions of one kind of alert. README.md lists all of them. */
export interface Condition {
  /** The kind of its alert. */
  kind: string;
  /** How often in succession it must be found, and for how long, before it raises the alert. Default: once. */
  raiseAfter?: { times?: number; ms?: number };
  /** How often in succession it must not be found before the alert is resolved. Default: once. */
  resolveAfter?: number;
  /**
   * True if the alert is raised again when somebody marks it as done while the condition lasts. It is then raised
   * and resolved at once: the open alert is the state of the condition, which needs no row.
   */
  reopens?: true;
}

/** The result of a check. */
export type Observation =
  | {
    state: "bad";
    /** With the time when it was found first, if they say it. */
    details?: NewAlert["details"] | ((since: string) => NewAlert["details"]);
    links?: NewAlert["links"];
    /** True if its open alert gets another report, because it has become worse. */
    again?: boolean;
    /** False if it lasts, but must not raise the alert for now. Default: true. */
    raises?: boolean;
    /** When it is known that it did not exist, ISO 8601. Earlier findings have ended. */
    goodAt?: string | null;
  }
  /**
   * `near`: between the limits of the others, or not known. It changes nothing.
   * `gone`: it cannot exist any more, so its alert ends too, also if somebody has reopened it since.
   */
  | { state: "ok" | "near" | "gone" };

const conditionRow = z.strictObject({
  /** When it was found first, ISO 8601. */
  since: z.iso.datetime(),
  /** How often in succession it was found, up to what raises the alert. */
  found: z.int(),
  /** How often in succession it was not found since. */
  missing: z.int(),
  /** True if the alert was raised. */
  raised: z.boolean(),
});

/** A condition that was found and has not ended. */
export type ConditionRow = z.infer<typeof conditionRow>;

/** The conditions that last, unless their open alerts are their state. */
export const conditions = defineTable({
  prefix: "conditions",
  value: conditionRow,
  key: ["organisation", "kind", "problem"],
  owner: "organisation",
  lifetime: untilUsed("until the condition has ended"),
  per: "condition that raises an alert",
});

/** The state of a value that was measured. */
type Measured = Exclude<Observation["state"], "gone">;

/** Returns the state of a value of which less is worse. Between the limits, nothing changes. */
export const atLeast = <Value extends number | bigint>(
  value: Value,
  { bad, ok }: { bad: Value; ok: Value },
): Measured => value < bad ? "bad" : value >= ok ? "ok" : "near";

/** Returns the state of a value of which more is worse. Between the limits, nothing changes. */
export const atMost = <Value extends number | bigint>(
  value: Value,
  { bad, ok }: { bad: Value; ok: Value },
): Measured => value > bad ? "bad" : value <= ok ? "ok" : "near";

/** The effect of an observation. */
interface Step {
  /** The condition before; null if it is new, or had ended. */
  before: ConditionRow | null;
  /** Null if it has ended, or was not there. */
  after: ConditionRow | null;
  raises: boolean;
  resolves: boolean;
}

/** Returns what an observation changes. */
export function follow(
  { raiseAfter: { times = 1, ms = 0 } = {}, resolveAfter = 1 }: Condition,
  row: ConditionRow | null,
  observed: Observation,
  now: number,
): Step {
  if (observed.state === "gone") return { before: row, after: null, raises: false, resolves: true };
  if (observed.state !== "bad") {
    if (observed.state === "near" || row === null) {
      return { before: row, after: row, raises: false, resolves: false };
    }
    const missing = row.missing + 1;
    const ended = !row.raised || missing >= resolveAfter;
    const after = ended ? null : { ...row, found: 0, missing };
    return { before: row, after, raises: false, resolves: ended && row.raised };
  }
  const { raises: may = true, goodAt } = observed;
  const before = row !== null && (goodAt ?? "") < row.since ? row : null;
  const { since = new Date(now).toISOString(), found = 0, raised = false } = before ?? {};
  const count = Math.min(found + 1, times);
  const raises = !raised && may && count >= times && now - Date.parse(since) >= ms;
  return {
    before,
    after: { since, found: count, missing: 0, raised: raised || raises },
    raises,
    resolves: before === null && row !== null && row.raised,
  };
}

/** Identifies a condition among those of its kind. */
type Problem = Pick<NewAlert, "organisation" | "problem">;

/**
 * Adds to a commit what an observation changes: the state of the condition, and its alert.
 *
 * @returns the condition before and after, and whether anything was added
 */
export async function addObservation(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { condition, organisation, problem }: Problem & { condition: Condition },
  observed: Observation,
  now: number,
): Promise<Pick<Step, "before" | "after"> & { changed: boolean }> {
  const { kind } = condition;
  const alert = { organisation, kind, problem };
  const key = [organisation, kind, problem] as const;
  const raise = ({ details: given, links }: Observation & { state: "bad" }, since: string) => {
    const details = typeof given === "function" ? given(since) : given;
    return addAlert(kv, commit, { ...alert, links, details }, now);
  };
  const resolve = () => setAlertState(kv, commit, alert, { state: "done", by: null, now });
  if (condition.reopens) {
    if (observed.state !== "bad") {
      const ended = observed.state !== "near" && await resolve() !== null;
      return { ...NO_ROW, changed: ended };
    }
    const isOpen = !observed.again && (await readOpen(kv, alert, now)).entry !== null;
    if (!isOpen) await raise(observed, new Date(now).toISOString());
    return { ...NO_ROW, changed: !isOpen };
  }
  const entry = await conditions.get(kv, ...key);
  commit.check(entry);
  const { before, after, raises, resolves } = follow(condition, entry.value, observed, now);
  const resolved = resolves && await resolve() !== null;
  if (raises) await raise(observed as Observation & { state: "bad" }, after!.since);
  const changed = JSON.stringify(after) !== JSON.stringify(entry.value);
  if (changed && after === null) conditions.deleteAt(commit, [...key], entry.value!);
  else if (changed) conditions.put(commit, [...key], after!);
  return { before, after, changed: changed || resolved };
}

const NO_ROW = { before: null, after: null };

/** Notes an observation that has no commit of its own. Returns the condition before and after. */
export const observe = (
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  problem: Problem & { condition: Condition },
  observed: Observation,
): Promise<Pick<Step, "before" | "after">> =>
  transact(async () => {
    const commit = kv.atomic();
    const { changed, ...result } = await addObservation(kv, commit, problem, observed, clock());
    return changed ? { result, commit } : { result };
  });
