import { assert, assertEquals } from "@std/assert";
import * as core from "../log/mod.ts";
import * as verifier from "../verify/mod.ts";
import { type Case, conformanceCases } from "./cases.ts";
import { answerLog as independent } from "../../../lib/features/standard/independent/log.ts";
import { answerLog } from "./testing/log_program.ts";
import { judge } from "./report.ts";

const ofLog = (await conformanceCases()).filter(({ line }) => line.includes(`"op":"log_`));

type Program = (request: { op: string }) => unknown;

/** Returns the checks that a program fails, with its responses. */
async function failures(program: Program, cases: readonly Case[] = ofLog) {
  const responses = new Map(
    await Promise.all(cases.map(async ({ id, line }) => {
      const response = await program(JSON.parse(line));
      return [id, response as Record<string, unknown>] as const;
    })),
  );
  return judge(cases, responses).filter(({ passed }) => !passed)
    .map(({ title, expected, actual }) => [title, expected, actual] as const);
}

Deno.test("the product's verifier passes every check of the log", async () => {
  assertEquals(await failures((request) => answerLog({ core, verifier }, request)), []);
});

Deno.test("an implementation of the text alone passes every check of the log", async () => {
  assertEquals(await failures(independent), []);
});

/** Mistakes of implementations: the code, what it becomes, and a check that must fail. */
const MISTAKES: [name: string, from: string, to: string, check: RegExp][] = [
  [
    "no salt in the commitment",
    'hashOf("log-entry", salt, ',
    'hashOf("log-entry", ',
    /chain of three/,
  ],
  ["a size of four bytes", "new Uint8Array(8)", "new Uint8Array(9)", /chain of three/],
  ["no zero byte after the domain", "${name}\\0`", "${name}`", /the completion/],
  ["withdrawn like registered", 'state === "withdrawn" ? 2 : 1', "1", /withdrawn document/],
  [
    "leaves hashed like nodes",
    "Uint8Array.of(0), slot",
    "Uint8Array.of(1), slot",
    /the first key set/,
  ],
  [
    "the last entry of an uneven tree",
    "fn % 2n === 1n || fn === sn",
    "fn % 2n === 1n",
    /entry 2 of 3/,
  ],
  [
    "a proof that is too short",
    "return sn === 0n && equal(r, root)",
    "return equal(r, root)",
    /root of 2 entries/,
  ],
  ["no root", "sn === 0n && equal(r, root)", "sn === 0n", /another tip/],
  ["the old root ignored", "equal(fr, before) && ", "", /does not begin with/],
  ["the new root ignored", " && equal(sr, after)", "", /another new root/],
  [
    "key ids ignored",
    "name === key.name && id === key.id",
    "name === key.name",
    /another id is ignored|key id is not/,
  ],
  [
    "key names ignored",
    "name === key.name && id === key.id",
    "id === key.id",
    /unknown key is ignored/,
  ],
  [
    "the log's signature ignored",
    "isSignature(key, signature, utf8(checkpoint.text))",
    "true",
    /another bit/,
  ],
  [
    "countersignatures ignored",
    "isSignature(key, signature.slice(8), message)",
    "true",
    /another time/,
  ],
  ["the time 0", "at > 0n && ", "", /the time 0/],
  ["no origin", "checkpoint.origin === origin && ", "", /another origin/],
  ["no log", "own.length > 0", "true", /only the witness/],
  ["no quorum", "policy.isMet(signed)", "true", /requires one/],
  ["one member of a group", ".length >= group.count", ".length > 0", /of which one has signed/],
  ["one witness twice", "isFree(rest[0]) && isNew(key)", "isFree(rest[0])", /under two names/],
  ["the latest time", "Math.min(time", "Math.max(time === Infinity ? 0 : time", /earliest of two/],
  ["tabs", "\\0-\\x09", "\\0-\\x08", /tab in an extension line/],
  ["leading zeros", "(0|[1-9]\\d*)", "(\\d+)", /`04`/],
  ["hashes of any length", "hash?.length === 32", "hash !== null", /31 bytes|33 bytes/],
  [
    "late events",
    "Math.abs(Date.parse(as_of) - Date.parse(at)) < TEN_MINUTES",
    "true",
    /10 minutes old/,
  ],
  [
    "events in the future",
    "Math.abs(Date.parse(as_of) - Date.parse(at))",
    "(Date.parse(as_of) - Date.parse(at))",
    /in the future/,
  ],
  [
    "only the last event's age",
    "events.slice(logged).every",
    "events.slice(-1).every",
    /event 0 is 10 minutes old/,
  ],
  [
    "only the newest size",
    "logged > 0; logged--",
    "logged > events.length - 1; logged--",
    /last two are less/,
  ],
  ["forks", "(commitments.get(slot) ?? commitment) === commitment", "true", /two commitments/],
  ["short entries", "entry.length === 128", "true", /63 bytes/],
  ["all keys", "kids.includes(kid)", "true", /in no logged key set/],
  ["widths", "width === 256", "true", /partial tile/],
];

/** Tries cases until a test holds for one. */
async function anyOf(
  cases: readonly Case[],
  test: (each: Case) => Promise<boolean>,
): Promise<boolean> {
  for (const each of cases) if (await test(each)) return true;
  return false;
}

Deno.test("each mistake in an implementation of the log is reported", async () => {
  const source = await Deno.readTextFile(new URL("../../../lib/features/standard/independent/log.ts", import.meta.url));
  await Promise.all(MISTAKES.map(async ([name, from, to, check]) => {
    const changed = source.replace(from, () => to);
    assert(changed !== source, `${name}: the code has no ${from}`);
    const wrong = await import(`data:application/typescript,${encodeURIComponent(changed)}`);
    const program: Program = (request) => {
      try {
        return wrong.answerLog(request);
      } catch {
        return {};
      }
    };
    const findsFault = async (each: Case) => (await failures(program, [each])).length > 0;
    const covering = ofLog.filter(({ title }) => check.test(title));
    assert(await anyOf(covering, findsFault), name);
    // The program still works.
    assert(await anyOf(ofLog, async (each) => !await findsFault(each)), name);
  }));
});
