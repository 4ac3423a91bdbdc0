import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import denoJson from "../deno.json" with { type: "json" };
import { parsePolicy } from "../packages/proof/mod.ts";
import { createTestLog, type TestLog } from "../lib/features/witness/testing/test_log.ts";

/** The command of `deno task witness`. It is started directly, because SIGKILL would end only the task's process. */
const [, ...COMMAND] = denoJson.tasks.witness.split(" ");
const ROOT = new URL("../", import.meta.url);

const command = (args: string[]) =>
  new Deno.Command(Deno.execPath(), {
    args: [...COMMAND, "--port", "0", ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  });

/** Starts a witness, and returns its line for a policy once it listens. */
async function start(...args: string[]) {
  const process = command(args).spawn();
  let output = "";
  const lines = process.stdout.pipeThrough(new TextDecoderStream());
  const reader = lines.getReader();
  while (!/^witness .*\n/m.test(output)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The witness did not start: ${output}`);
    output += value;
  }
  reader.releaseLock();
  const [line] = /^witness .*$/m.exec(output)!;
  const { witnesses: [{ name, key, url }] } = parsePolicy(`${line}\nquorum none`);
  return {
    name,
    key,
    output,
    async statusOf(log: TestLog, old: number, size: number) {
      const body = await log.request(old, size);
      const response = await fetch(`${url}add-checkpoint`, { method: "POST", body });
      await response.body?.cancel();
      return response.status;
    },
    home: async () => await (await fetch(url!)).text(),
    async stop(signal: Deno.Signal) {
      process.kill(signal);
      await process.status;
      await Promise.all([lines.cancel(), process.stderr.cancel()]);
    },
  };
}

Deno.test("a witness alone generates a key, keeps it and its sizes after kill -9, and shares its store with a second process", async () => {
  const folder = await Deno.makeTempDir();
  const store = join(folder, "own", "witness.kv");
  const log = await createTestLog();
  log.append(..."abcdefgh");
  const fork = log.fork(5);
  fork.append("another entry", "and another");
  const options = ["--store", store, "--log", log.vkey];

  const first = await start("--name", "witness.example", ...options);
  assertStringIncludes(first.output, "generated now, and kept in the store");
  assertEquals(await first.statusOf(log, 0, 3), 200);
  await first.stop("SIGKILL");
  assertEquals((await Deno.stat(store)).mode! & 0o777, 0o600);

  const [second, third] = await Promise.all([start(...options), start(...options)]);
  assertEquals([second.key, third.key], [first.key, first.key]);
  assertEquals(await second.statusOf(log, 0, 5), 409);
  assertEquals(await third.statusOf(log, 3, 5), 200);
  const statuses = await Promise.all([second.statusOf(log, 5, 7), third.statusOf(fork, 5, 7)]);
  assertEquals(statuses.toSorted(), [200, 409]);
  assertStringIncludes(await second.home(), "size       7, countersigned");
  await Promise.all([second.stop("SIGTERM"), third.stop("SIGTERM")]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a witness without a name, or with an unknown option, says how to start it", async () => {
  const folder = await Deno.makeTempDir();
  const store = ["--store", join(folder, "witness.kv")];
  const runs = [store, ["--nme", "x"], ["--log", "x", ...store]].map((args) =>
    command(args).output()
  );
  const outputs = (await Promise.all(runs)).map(({ code, stderr }) => {
    assertEquals(code, 1);
    return new TextDecoder().decode(stderr);
  });
  const parts = [
    "WITNESS_NAME (--name): should be set",
    "Unknown option '--nme'",
    "(--log): should be",
  ];
  for (const [i, part] of parts.entries()) assert(outputs[i].includes(part), outputs[i]);
  assertStringIncludes(outputs[1], "Usage: deno task witness");
  await Deno.remove(folder, { recursive: true });
});
