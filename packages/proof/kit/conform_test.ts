import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EVENT_KINDS } from "../chain/mod.ts";
import { type Case, conformanceCases } from "./cases.ts";
import { conformCommand } from "./command.ts";
import { converse, MAX_OUTPUT_BYTES, type Streams } from "./converse.ts";
import { judge, reportLines } from "./report.ts";

const cases = await conformanceCases();

Deno.test("the cases cover every fault code that a verifier reports and every kind", () => {
  const codes = new Set(cases.map(({ expected }) => expected.code).filter(Boolean));
  assertEquals([...codes].sort(), [
    "bad_event",
    "bad_hash",
    "bad_head",
    "bad_input",
    "bad_origin",
    "bad_prev",
    "bad_seq",
    "bad_signature",
    "bad_tip",
    "log_fork",
    "log_inclusion",
    "log_inconsistent",
    "log_malformed",
    "log_missing",
    "log_quorum",
    "log_signature",
    "log_unknown",
    "truncated",
    "unknown_key",
  ]);
  const lines = cases.map(({ line }) => line).join();
  for (const { kind } of EVENT_KINDS) assert(lines.includes(`"kind":"${kind}"`), kind);
});

Deno.test("a program may respond that an optional operation is unsupported, and that counts as skipped", () => {
  const responses = new Map(cases.map(({ id }) => [id, { id, unsupported: true }]));
  const verdicts = judge(cases, responses);
  const optional = cases.filter(({ optional }) => optional);
  assert(optional.length > 0);
  assert(optional.every(({ line }) => /"op":"(verify_part|log_\w+)"/.test(line)));
  assertEquals(
    verdicts.filter(({ passed }) => passed).map(({ id }) => id),
    optional.map(({ id }) => id),
  );
  const lines = reportLines(verdicts, []);
  assertEquals(lines.filter((line) => line.startsWith("skip ")).length, optional.length);
  assertEquals(lines.slice(-2), [
    `${optional.length} checks of optional operations were skipped.`,
    `0 of ${cases.length - optional.length} checks passed.`,
  ]);
});

Deno.test("records are sent with the escapes and numbers that the text prints", () => {
  const line = cases.find(({ title }) => title === "Vector 2: record hash")!.line;
  assert(line.includes(`"share": 4.50,`) && line.includes(`"\\ufb01"`), line);
});

/** Runs a program that maps each request to what it prints. */
function talk(program: (id: number) => string, few: Case[] = cases.slice(0, 3), timeoutMs = 5_000) {
  const lines = new TransformStream<string, string>({
    transform: (text, out) => {
      for (const line of text.split("\n").filter(Boolean)) {
        out.enqueue(program(JSON.parse(line).id));
      }
    },
  });
  const decoder = new TextDecoderStream() as TransformStream<Uint8Array<ArrayBuffer>, string>;
  decoder.readable.pipeTo(lines.writable).catch(() => {});
  const stdout = lines.readable.pipeThrough(new TextEncoderStream());
  return converse({ stdin: decoder.writable, stdout } as Streams, few, timeoutMs);
}

const respond = (id: number) => `{"id":${id}}\n`;

Deno.test("responses in order are accepted, in any pieces and with empty lines between them", async () => {
  const { responses, problems, ended } = await talk((id) => `\n{"id":\t${id},"x":"é"}\r\n`);
  assertEquals([[...responses.keys()], problems, ended], [[1, 2, 3], [], true]);
});

Deno.test("each breach of the protocol is reported", async () => {
  const breaches: [(id: number) => string, RegExp][] = [
    [(id) => `Ready\u001b[1m\n${respond(id)}`, /^The program printed a line.+object: Ready\[1m$/],
    [(id) => `[${id}]\n`, /^The program printed a line that is not a JSON object: \[1\]$/],
    [(id) => respond(4 - id), /^The response to request 3 came when the one to 1 was due\.$/],
    [(id) => respond(id) + respond(id), /^The program responded to request 1 more than once\.$/],
    [(id) => `{"id":"${id}"}\n`, /^A response has a missing or unknown id: \{"id":"1"\}$/],
    [
      () => "x".repeat(MAX_OUTPUT_BYTES),
      /^The program wrote more than 1024 KiB and was stopped\.$/,
    ],
  ];
  await Promise.all(breaches.map(async ([program, problem]) => {
    const { problems } = await talk(program);
    assertMatch(problems[0] ?? "none", problem);
  }));
});

Deno.test("a program that prints noise for every request is stopped after ten problems", async () => {
  const { problems, ended } = await talk(() => "a\nb\nc\nd\n", cases.slice(0, 9));
  assertEquals([problems.length, ended], [11, false]);
});

Deno.test("a program that does not respond in time is stopped, and the request is named", async () => {
  const few = cases.slice(0, 2);
  const { problems, responses } = await talk((id) => id === 1 ? respond(1) : "", few, 5);
  // The input of this program ends, and so does its output.
  assertEquals([[...responses.keys()], problems], [[1], []]);
  const never = new ReadableStream<Uint8Array<ArrayBuffer>>();
  const hung = await converse({ stdin: new WritableStream(), stdout: never }, few, 5);
  assertMatch(hung.problems[0], /^There was no response to request 1 within 0\.005 s\./);
  assertEquals(hung.ended, false);
});

async function conform(...args: string[]) {
  const lines: string[] = [];
  const status = await conformCommand(args, (line) => lines.push(line));
  return { status, text: lines.join("\n") };
}

Deno.test("conform passes the product's verifier as a program", async () => {
  const program = new URL("testing/program.ts", import.meta.url).pathname;
  const { status, text } = await conform(Deno.execPath(), "run", "--quiet", program);
  assertEquals(status, 0, text);
  assertMatch(text, new RegExp(`\n${cases.length} of ${cases.length} checks passed\.$`));
});

const python = await new Deno.Command("python3", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  name: "conform passes the Python verifier in the documentation",
  ignore: !python,
  async fn() {
    const program = new URL("../../../docs/conform/verifier.py", import.meta.url).pathname;
    const { status, text } = await conform("python3", program);
    assertEquals(status, 0, text);
  },
});

Deno.test("conform explains why a program crashed, hung or did not start", async () => {
  // The shell needs time to close its output, and the other programs run meanwhile.
  const lasting = conform("--timeout", "2", "sh", "-c", "exec >&-; exec sleep 60");

  const crash = await conform("sh", "-c", "echo 'no module' >&2; exit 3");
  assertEquals(crash.status, 1);
  assertMatch(crash.text, /FAIL {3}1 {2}Vector 1: record hash\n.+\n +actual {4}no response/);
  assertMatch(crash.text, /Problem: The program ended with the status 3\./);
  assertMatch(crash.text, /Its standard error:\nno module$/);

  const hang = await conform("--timeout", "0.02", "sh", "-c", "exec sleep 60");
  assertEquals(hang.status, 1);
  assertMatch(hang.text, /no response to request 1 within 0\.02 s/);

  const signal = await conform("sh", "-c", "kill -SEGV $$");
  assertMatch(signal.text, /Problem: The program ended with SIGSEGV\./);
  const parent = await conform("sh", "-c", "sleep 60 >/dev/null & echo $! >&2; exit 1");
  const child = /Its standard error:\n(\d+)$/.exec(parent.text)!;
  Deno.kill(Number(child[1]), "SIGKILL");

  const missing = await conform("/nowhere/verifier");
  assertEquals([missing.status, missing.text.slice(0, 40)], [
    2,
    "/nowhere/verifier could not be started. ",
  ]);
  assertMatch((await lasting).text, /closed its output but did not end/);
});

Deno.test("conform prints its usage for arguments that it does not understand", async () => {
  for (
    const args of [[], ["--fast", "x"], ["--timeout", "x", "y"], [
      "--timeout",
      "601",
      "y",
    ], ["--requests", "x"]]
  ) {
    const { status, text } = await conform(...args);
    assertEquals([status, text.slice(0, 26)], [2, "Usage: deno task conform ["]);
  }
});

Deno.test("conform --requests prints each request with its expected response", async () => {
  const { status, text } = await conform("--requests");
  assertEquals(status, 0);
  assertEquals(
    text.split("\n").filter((line) => line.startsWith("{")),
    cases.map(({ line }) => line),
  );
});

Deno.test("the documentation has a request with its response, and the number of checks", async () => {
  const text = await Deno.readTextFile(new URL("../../../docs/conform.md", import.meta.url));
  const [request, response] = [...text.matchAll(/^\{"id".*$/gm)].map(([line]) => line);
  const example = cases.find(({ line }) => line === request)!;
  assertEquals(JSON.parse(response), { id: example.id, ...example.expected });
  assertStringIncludes(text, ` of ${cases.length} checks passed.`);
});

Deno.test("conform --json prints the report as JSON", async () => {
  const { status, text } = await conform("--json", "true");
  const { conforms, checks, problems } = JSON.parse(text);
  assertEquals([status, conforms, checks.length, problems], [1, false, cases.length, []]);
  assertEquals(checks[0].actual, null);
});
