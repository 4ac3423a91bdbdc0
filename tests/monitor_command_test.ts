import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { generatePrivateJwk } from "../lib/features/chain/mod.ts";
import { createSigner, LOG_KEY } from "../lib/features/log/core.ts";
import { sequenceBatch } from "../lib/features/log/store/sequence.ts";
import { createLogFiles } from "../lib/features/log/store/serve.ts";
import {
  addEntries,
  createTestLog,
  createTestPublisher,
} from "../lib/features/log/testing/fixtures.ts";
import { openKv } from "../lib/platform/kv/mod.ts";

async function run(...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--frozen", "--lock=deno.lock", "--quiet", "lib/app/commands/monitor.ts"]
      .concat(args),
    cwd: new URL("..", import.meta.url),
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return {
    code,
    err,
    lines: out.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)),
  };
}

Deno.test("monitor exits with 0 for a log that only grows, and with 1 and evidence for another one", async () => {
  const folder = await Deno.makeTempDir();
  const into = join(folder, "copy");
  const open = async (origin: string, ...names: string[]) => {
    const kv = await openKv(":memory:");
    const signers = () => Promise.resolve([signer]);
    await addEntries(kv, names);
    await sequenceBatch(kv);
    await (await createTestPublisher(kv, { origin, signers })).publish();
    const log = { ...createTestLog(kv), signers };
    return { kv, files: createLogFiles({ kv, log, url: `http://${origin}` }) };
  };
  let served: Awaited<ReturnType<typeof open>> | undefined;
  await using server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
    const path = new URL(request.url).pathname.slice("/log/".length);
    const { files } = served!;
    const body = path === "checkpoint"
      ? await files.checkpoint()
      : path === "policy"
      ? await files.policy()
      : path.startsWith("tile/")
      ? await files.tile(path)
      : null;
    return body === null ? new Response("", { status: 404 }) : new Response(body as BodyInit);
  });
  const host = `trust.localhost:${server.addr.port}`;
  const signer = await createSigner(`${host}/log`, LOG_KEY, await generatePrivateJwk());
  served = await open(`${host}/log`, "a", "b");
  const first = await run(`http://${host}`, "--into", into, "--once");
  assertEquals([first.code, first.lines[0].size, first.lines[0].findings], [0, 2, []]);
  assertStringIncludes(first.err, `The key ${signer.key.id} of ${host}/log is remembered.`);
  served.kv.close();

  served = await open(`${host}/log`, "a", "rewritten", "c");
  const second = await run(`http://${host}`, "--into", into, "--once");
  const [{ findings, evidence: [evidence] }] = second.lines;
  assertEquals([second.code, findings[0].fault], [1, "log_inconsistent"]);
  assertEquals((await Deno.readTextFile(evidence)).split(`${host}/log\n`).length, 3);
  const record = await run(`http://${host}`, "--into", into, "--record", "c".repeat(64));
  assertEquals(record.lines.at(-1), { record: "c".repeat(64), events: 0 });
  served.kv.close();

  for (const args of [[], ["trust.example"], [`http://${host}`, "--record", "x"]]) {
    assertEquals((await run(...args)).code, 2);
  }
  await Deno.remove(folder, { recursive: true });
});
