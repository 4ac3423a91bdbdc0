import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import denoJson from "../deno.json" with { type: "json" };
import { isProof, KEYS_PATH } from "../packages/proof/mod.ts";
import { createDishonestPublisher, serveLog } from "./dishonest_publisher.ts";
import { HASH } from "./watched_log.ts";

const [, ...COMMAND] = denoJson.tasks.monitor.split(" ");

const command = (args: string[]) =>
  new Deno.Command(Deno.execPath(), {
    args: [...COMMAND, ...args],
    cwd: new URL("..", import.meta.url),
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  });

const parse = (text: string) =>
  text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));

/** Runs the command to its end. */
async function run(...args: string[]) {
  const { code, stdout, stderr } = await command(args).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, err, lines: parse(out) };
}

/** Runs the command until it has printed a number of lines, and returns these. */
async function follow(count: number, ...args: string[]) {
  await using process = command(args).spawn();
  let text = "";
  for await (const part of process.stdout.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.split("\n").length > count) break;
  }
  await process.stderr.cancel();
  return parse(text).slice(0, count);
}

Deno.test("monitor exits with 0 only if the log and all records have no fault, keeps evidence, and sends no record's hash", async () => {
  const folder = await Deno.makeTempDir();
  const [into, saved, forged] = ["copy", "saved.json", "forged.json"]
    .map((name) => join(folder, name));
  await using server = serveLog();
  const address = `http://${server.host}`;
  using publisher = await createDishonestPublisher(Date.now, server.host);
  const honest = await publisher.open({ witnesses: [publisher.independent] });
  await honest.complete();
  await honest.publish();
  await honest.chains.start(HASH);
  await honest.publish();
  const branch = await publisher.open({ from: honest });
  server.show(honest);
  await Deno.writeTextFile(saved, await honest.save(HASH));
  const options = [address, "--into", into, "--record", saved, "--record", HASH];

  const [first, , , second, file, record] = await follow(6, ...options, "--every", "1");
  assertEquals([first.size, first.complete, first.findings], [3, 0, []]);
  assert(second.at > first.at);
  assertEquals([file.file, file.opened, file.findings], [saved, 1, []]);
  assertEquals([record.record, record.events, record.entries], [HASH, 1, []]); // printed before
  const known = await run(...options, "--once");
  assertEquals([known.code, known.err, known.lines[2].entries.length], [0, "", 1]);
  assertEquals(known.lines[1].entries, known.lines[2].entries);

  await honest.chains.append(HASH, "email_confirmed");
  await honest.publish();
  await branch.chains.append(HASH, "record_verified");
  await Deno.writeTextFile(forged, await branch.save(HASH, { provenBy: honest }));
  const forked = await run(...options, "--record", forged, "--once");
  assertEquals([forked.code, forked.lines.map(({ findings }) => findings.length)], [1, [
    0,
    0,
    0,
    1,
  ]]);
  const [{ fault, evidence }] = forked.lines[3].findings;
  assertEquals(fault, "log_fork");
  assertEquals(
    (await Array.fromAsync(Deno.readDir(evidence), ({ name }) => name)).sort(),
    ["chain.json", "entry-3.hex", "entry-3.proof", "expected.hex", "message.txt"],
  );

  await branch.publish("more", "and more");
  server.show(branch);
  const other = await run(address, "--into", into, "--once");
  const [{ findings: [finding] }] = other.lines;
  assertEquals([other.code, finding.fault], [1, "log_inconsistent"]);
  const proof = await Deno.readTextFile(join(finding.evidence, "contradiction.json"));
  assert(isProof(JSON.parse(proof)));
  const state = JSON.parse(await Deno.readTextFile(join(into, "state.json")));
  assertEquals(state, { ...other.lines[0], records: [] });

  const paths = new Set(
    server.requests.filter((path) =>
      !/^\/log\/(checkpoint|policy|keys\/\d+|tile\/[\w/.]+)$/.test(path) || path.includes(HASH)
    ),
  );
  assertEquals([...paths], [KEYS_PATH]);
  for (const args of [["trust.example"], [address, "--record", "x"]]) {
    const { code, err } = await run(...args);
    assertEquals(code, 2);
    assertStringIncludes(err, args.length === 1 ? "Usage: deno task monitor" : "x is neither");
  }
  await Deno.remove(folder, { recursive: true });
});
