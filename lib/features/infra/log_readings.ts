/** Judges the health of the public log and its witnesses, for operators and alerts. */
import { formatCount, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import type { LogStatus, WitnessStatus } from "../log/mod.ts";
import { type Reading, unknownReading } from "./readings.ts";

/** Every entry has to be in the log within this time. */
const LATE_MS = 10 * MINUTE_MS;

/** The log signs a checkpoint every hour, even if nothing was added. */
const STILL_MS = HOUR_MS + 2 * LATE_MS;

/** Returns what operators have to know about the public log and its witnesses. */
export function logReadings(status: LogStatus, now: number): Reading[] {
  const { published, halted, size, waitingSince } = status;
  if (published === null && halted === null && size === 0 && waitingSince === null) return [];
  return [
    haltedReading(status),
    lateReading(status, now),
    checkpointReading(status, now),
    ...status.witnesses.map((witness) => witnessReading(witness, status, now)),
  ];
}

function haltedReading({ halted, waiting }: LogStatus): Reading {
  const reading = unknownReading("log_halted", "Public log");
  if (halted !== null) return { ...reading, state: "bad", text: haltedText(halted), at: halted.at };
  if (waiting === null) return { ...reading, state: "ok", text: "Accepts entries" };
  const names = waiting.witnesses.join(", ");
  const why = waiting.required ? "its quorum (LOG_QUORUM=required)" : "an answer";
  const text = `Accepts entries, but publishes none: it waits for ${why} of ${names}, since`;
  return { ...reading, state: "ok", text, at: waiting.since };
}

/** The most of a response that a text quotes. */
const MOST_QUOTED = 200;

function haltedText({ by, response }: NonNullable<LogStatus["halted"]>): string {
  if (by === "log:recover" || by === "log:move") {
    return `Accepts nothing until deno task ${by} has ended, since`;
  }
  const who = by === "anchor" ? "LOG_ANCHOR" : `the witness ${by}`;
  return `Accepts nothing, because ${who} has seen another tree (${
    response.trim().replaceAll("\n", " ").slice(0, MOST_QUOTED)
  }), since`;
}

function lateReading({ waitingSince }: LogStatus, now: number): Reading {
  const reading = unknownReading("log_late", "Entries of the public log");
  if (waitingSince === null) return { ...reading, state: "ok", text: "None is waiting" };
  const isLate = now - Date.parse(waitingSince) > LATE_MS;
  return {
    ...reading,
    state: isLate ? "bad" : "ok",
    text: "The oldest one that is waiting was added",
    at: waitingSince,
  };
}

/** A tree that grows while nothing is published lacks a quorum, or its job fails. */
function checkpointReading({ published, size, halted }: LogStatus, now: number): Reading {
  const reading = unknownReading("log_still", "Checkpoint of the public log");
  if (published === null) {
    return { ...reading, state: size > 0 ? "bad" : "ok", text: "None was published yet" };
  }
  const left = size - published.size;
  const age = now - Date.parse(published.signed_at);
  const isStill = age > (left > 0 ? LATE_MS : STILL_MS);
  return {
    ...reading,
    // A log that is halted signs nothing, which has an alert of its own.
    state: halted !== null ? "unknown" : isStill ? "bad" : "ok",
    text: `${formatCount(published.size)} entries${
      left > 0 ? `, ${formatCount(left)} are not published yet` : ""
    }, signed`,
    at: published.signed_at,
  };
}

function witnessReading(
  { name, own, size, at, problem }: WitnessStatus,
  { halted }: LogStatus,
  now: number,
): Reading {
  const reading = unknownReading("witness_missing", `Witness ${name}`, name);
  const run = own ? " (the same operator runs it)" : "";
  const signed = at === null
    ? { text: `Has countersigned nothing yet${run}`, at }
    : { text: `Has countersigned ${formatCount(size)} entries${run},`, at };
  if (halted !== null) return { ...reading, ...signed };
  if (problem !== null && now - Date.parse(problem.since) > LATE_MS) {
    const text = `${problemText(problem.what)}${run}, since`;
    return { ...reading, state: "bad", text, at: problem.since };
  }
  const isOld = at !== null && now - Date.parse(at) > STILL_MS;
  return {
    ...reading,
    ...signed,
    state: isOld ? "bad" : at === null ? "unknown" : "ok",
  };
}

/** Returns why a witness did not countersign. An error's message may contain an address, so it is not stored. */
const problemText = (what: string): string =>
  what === "TimeoutError"
    ? "Does not respond in time"
    : what.startsWith("status ")
    ? `Responds with ${what}`
    : what.includes(" ")
    ? `Does not countersign: ${what.slice(0, MOST_QUOTED)}`
    : "Cannot be reached";
