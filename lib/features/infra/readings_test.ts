import { assertEquals } from "@std/assert";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import {
  backupReading,
  certificateReadings,
  clockReading,
  diskReading,
  jobReadings,
  memoryReading,
  queueReadings,
  serviceReadings,
} from "./readings.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");
const GIB = 2 ** 30;
const before = (ms: number) => new Date(NOW - ms).toISOString();

Deno.test("a disk is bad below 10% and fine from 12%, and that of a remote store is not known", () => {
  const of = (free: number) => diskReading({ free: free * GIB, size: 100 * GIB }, false);
  assertEquals([9.9, 10, 11.9, 12].map((free) => of(free).state), ["bad", "near", "near", "ok"]);
  assertEquals(of(9.9).text, "9.9 GiB free of 100.0 GiB (9%)");
  const remote = diskReading(undefined, true);
  assertEquals([remote.state, remote.text], [
    "unknown",
    "The store is not a file on this machine, so its disk is not known.",
  ]);
});

Deno.test("memory is bad if the process uses 700 MB, or if the machine has less than 8% available", () => {
  const of = (rss: number, available: number) =>
    memoryReading(rss, { total: 100 * GIB, available: available * GIB }).state;
  assertEquals([of(200e6, 50), of(701e6, 50), of(650e6, 50)], ["ok", "bad", "near"]);
  assertEquals([of(200e6, 7), of(200e6, 10)], ["bad", "near"]);
  assertEquals(memoryReading(200e6, undefined).state, "ok");
});

Deno.test("a backup is bad after 25 hours in production, and unknown on a network store without any", () => {
  const of = (
    ageMs: number | null,
    { remote = false, expected = true, since = before(9 * DAY_MS) } = {},
  ) =>
    backupReading(ageMs === null ? null : { at: before(ageMs), bytes: 2 ** 21 }, {
      remote,
      expected,
      since,
      now: NOW,
    });
  assertEquals([of(25 * HOUR_MS).state, of(26 * HOUR_MS).state], ["ok", "bad"]);
  assertEquals([of(HOUR_MS).text, of(HOUR_MS).value], ["Copied 2 MiB", 3_600]);
  assertEquals(of(null).state, "bad");
  assertEquals(of(null, { since: before(DAY_MS) }).state, "unknown"); // a new store
  assertEquals(of(null, { expected: false }).state, "unknown");
  const remote = { remote: true };
  assertEquals(of(null, remote).state, "unknown");
  assertEquals([of(25 * HOUR_MS, remote).state, of(26 * HOUR_MS, remote).state], ["ok", "bad"]);
});

Deno.test("the clock is bad if it differs by more than 10 seconds from every server", () => {
  const of = (...seconds: number[]) =>
    clockReading(
      seconds.map((each, i) => ({ source: ["Bank", "Mail API"][i], ms: each * SECOND_MS })),
    );
  assertEquals([of(11).state, of(-11).state, of(7).state, of(-5).state], [
    "bad",
    "bad",
    "near",
    "ok",
  ]);
  assertEquals(of(60, 1).state, "ok");
  assertEquals(
    of(60, -0.2).text,
    "Bank: 60 seconds ahead of this machine; Mail API: no difference",
  );
  assertEquals(of().state, "unknown");
});

Deno.test("a certificate is bad 14 days before it expires, urgent a week before, and not known if the host cannot be reached", () => {
  const until = (days: number) => new Date(NOW + days * DAY_MS + HOUR_MS).toISOString();
  const of = (days: number) =>
    certificateReadings([{ host: "a.example", until: until(days) }], NOW)[0];
  assertEquals([of(13).state, of(14).state, of(15).state], ["bad", "near", "ok"]);
  assertEquals([of(13).text, of(13).value], ["Expires in 13 days", 13]);
  assertEquals([of(-2).state, of(-2).text], ["bad", "Has expired"]);
  assertEquals([of(7).id, of(6).id], [
    "certificate_ends:a.example",
    "certificate_urgent:a.example",
  ]);
  assertEquals(certificateReadings([{ host: "a.example", until: null }], NOW)[0].state, "unknown");
});

Deno.test("messages are bad when the oldest has waited for 30 minutes", () => {
  const of = (minutes: number) =>
    queueReadings([{
      channel: "mail",
      kind: "sign_in",
      organisation: "foundation",
      waiting: 1_200,
      oldest: before(minutes * MINUTE_MS),
    }], ({ kind }) =>
      kind, NOW)[0];
  assertEquals([of(15), of(30), of(31)].map(({ state }) => state), ["ok", "near", "bad"]);
  const { id, organisation, text } = of(1);
  assertEquals([id, organisation, text], [
    "messages_waiting:mail:sign_in:foundation",
    "foundation",
    "1,200 waiting, the oldest added",
  ]);
});

Deno.test("a job is bad if it failed, died or is three periods late", () => {
  const of = (
    outcome: "done" | "stopped" | "failed" | "interrupted",
    ageMs = 0,
    everyMs = HOUR_MS,
  ) =>
    jobReadings([{
      name: "mail",
      title: "Sending mail",
      everyMs,
      runningSince: null,
      lastRun: { started: before(ageMs), finished: before(ageMs), outcome, detail: "2 sent" },
    }], NOW)[0];
  const states = (["done", "stopped", "failed", "interrupted"] as const).map((each) =>
    of(each).state
  );
  assertEquals(states, ["ok", "ok", "bad", "bad"]);
  assertEquals([of("done", 3 * HOUR_MS).state, of("done", 3.1 * HOUR_MS).state], ["ok", "bad"]);
  assertEquals(of("done", 14 * MINUTE_MS, 15 * SECOND_MS).state, "ok");
  assertEquals(of("done", 4 * HOUR_MS).text, "Late: it should run every 1 hour. Done: 2 sent");
  const never = { name: "a", title: "Doing a", everyMs: 1, runningSince: null, lastRun: null };
  const [{ id, name, state }] = jobReadings([never], NOW);
  assertEquals([id, name, state], ["job_failing:a", "Doing a (job a)", "unknown"]);
});

Deno.test("a service is bad if it is down, and the bank has an alert of its own", () => {
  const node = (id: string, state: "up" | "slow" | "down" | "checking", checked = true) => ({
    id,
    name: id,
    role: "",
    group: "services" as const,
    state,
    checked_at: checked ? before(0) : null,
    latency_ms: null,
    ...state === "down" ? { detail: "The connection failed." } : {},
  });
  const readings = serviceReadings([
    node("bank", "down"),
    node("mail", "down"),
    node("store", "slow"),
    node("push", "checking", false),
  ]);
  assertEquals(readings.map(({ id, state, text }) => [id, state, text]), [
    ["service_down:mail", "bad", "The connection failed."],
    ["service_down:store", "ok", "Responds"],
  ]);
});
