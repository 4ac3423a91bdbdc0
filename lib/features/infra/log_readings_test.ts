import { assertEquals } from "@std/assert";
import { MINUTE_MS } from "../../base/time.ts";
import type { LogStatus, WitnessStatus } from "../log/mod.ts";
import { logReadings } from "./log_readings.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");
const before = (minutes: number) => new Date(NOW - minutes * MINUTE_MS).toISOString();

const witness = (row: Partial<WitnessStatus> = {}): WitnessStatus => ({
  ...{ name: "other", key: "other.example+0+a", own: false, signed: before(5) },
  ...{ size: 40, at: before(5), problem: null, ...row },
});

function statusOf(status: Partial<LogStatus>, signedBefore = 5): LogStatus {
  const published = {
    size: 40,
    text: "",
    signed_at: before(signedBefore),
    cosigned: [],
    joined: 0,
  };
  return {
    ...{ origin: "trust.example/log", size: 40, published, witnesses: [] },
    ...{ waitingSince: null, halted: null, waiting: null, completeFrom: 2, ...status },
  };
}

const statesOf = (status: LogStatus) =>
  Object.fromEntries(logReadings(status, NOW).map(({ id, state }) => [id, state]));

const OK = { log_halted: "ok", log_late: "ok", log_still: "ok" };

Deno.test("an entry is late after 10 minutes", () => {
  const of = (waitingSince: string) => statesOf(statusOf({ waitingSince }));
  assertEquals(of(before(10)), OK);
  assertEquals(of(before(11)), { ...OK, log_late: "bad" });
});

Deno.test("a checkpoint stands still after 10 minutes if the tree has grown, otherwise after 80", () => {
  const of = (size: number, minutes: number) => statesOf(statusOf({ size }, minutes)).log_still;
  assertEquals([of(40, 80), of(40, 81), of(41, 10), of(41, 11)], ["ok", "bad", "ok", "bad"]);
  assertEquals(statesOf(statusOf({ published: null })).log_still, "bad");
  assertEquals(logReadings(statusOf({ published: null, size: 0 }), NOW), []);
});

Deno.test("a witness is missing if it has failed for 10 minutes, or has signed nothing for 80", () => {
  const of = (row: Partial<WitnessStatus>) =>
    logReadings(statusOf({ witnesses: [witness(row)] }), NOW).at(-1)!;
  const failing = (minutes: number, what = "TypeError") =>
    of({ problem: { what, since: before(minutes) } });
  assertEquals([failing(10).state, failing(11).state], ["ok", "bad"]);
  assertEquals([of({ at: before(80) }).state, of({ at: before(81) }).state], ["ok", "bad"]);
  assertEquals(of({ at: null, size: 0 }).state, "unknown");
  assertEquals([failing(11).text, failing(11).at], ["Cannot be reached, since", before(11)]);
  assertEquals(failing(11, "status 429").text, "Responds with status 429, since");
  assertEquals(
    of({ own: true }).text,
    "Has countersigned 40 entries (the same operator runs it),",
  );
});

Deno.test("a halted log is bad, and says nothing about its checkpoint and its witnesses", () => {
  const halted = { by: "other", at: before(3), checkpoint: "", response: "409 50" };
  const status = statusOf({ halted, witnesses: [witness({ at: before(99) })] }, 99);
  assertEquals(statesOf(status), {
    ...OK,
    ...{ log_halted: "bad", log_still: "unknown", "witness_missing:other": "unknown" },
  });
  assertEquals(
    logReadings(status, NOW)[0].text,
    "Accepts nothing, because the witness other has seen another tree (409 50), since",
  );
});

Deno.test("a log that waits names the witnesses, and the variable if that makes it wait", () => {
  const textOf = (required: boolean) => {
    const waiting = { since: before(3), witnesses: ["other", "third"], required };
    const [{ text, at, state }] = logReadings(statusOf({ waiting }), NOW);
    return [text, at, state];
  };
  const waits = "Accepts entries, but publishes none: it waits for";
  assertEquals(textOf(false), [`${waits} an answer of other, third, since`, before(3), "ok"]);
  assertEquals(textOf(true), [
    `${waits} its quorum (LOG_QUORUM=required) of other, third, since`,
    before(3),
    "ok",
  ]);
});
