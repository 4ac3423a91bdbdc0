import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { basename, dirname, join } from "node:path";
import { main as backup } from "../lib/app/commands/backup.ts";
import { main as chainReconcile } from "../lib/app/commands/chain_reconcile.ts";
import { main as chainSign } from "../lib/app/commands/chain_sign.ts";
import type { Command } from "../lib/app/commands/command.ts";
import { main as contactDelete } from "../lib/app/commands/contact_delete.ts";
import { main as exportStore } from "../lib/app/commands/export.ts";
import { main as handOver } from "../lib/app/commands/hand_over.ts";
import { main as importStore } from "../lib/app/commands/import.ts";
import { main as logMove } from "../lib/app/commands/log_move.ts";
import { main as logRecover } from "../lib/app/commands/log_recover.ts";
import { main as signInLink } from "../lib/app/commands/sign_in_link.ts";
import { main as storeCheck } from "../lib/app/commands/store_check.ts";
import { main as storeFormat } from "../lib/app/commands/store_format.ts";
import { main as userDelete } from "../lib/app/commands/user_delete.ts";
import { ConfigError } from "../lib/platform/config/error.ts";
import { FORMAT, openKv } from "../lib/platform/kv/mod.ts";
import { type CommandRun, runMain } from "./run_command.ts";
import { createSite } from "./site.ts";

/** Each command, with the arguments with which it opens its store. */
const COMMANDS: [name: string, main: Command, ...args: string[]][] = [
  ["backup", backup, "copy.kv"],
  ["backup", backup, "--note"],
  ["chain_reconcile", chainReconcile],
  ["chain_sign", chainSign],
  ["contact_delete", contactDelete, "ada@example.org"],
  ["export", exportStore],
  ["hand_over", handOver, "handed-over"],
  ["import", importStore, "export.jsonl"],
  ["log_move", logMove],
  ["log_recover", logRecover, "copy"],
  ["sign_in_link", signInLink, "admin@example.org", "site"],
  ["store_check", storeCheck],
  ["store_format", storeFormat],
  ["user_delete", userDelete, "ada@example.org"],
];

const FOLDER = new URL("../lib/app/commands/", import.meta.url);

interface Outcome {
  code: number;
  /** The lines that were printed. */
  lines: string[];
}

const outcomeOf = ({ code, out, err }: CommandRun): Outcome => ({
  code,
  lines: (out + err).split("\n").slice(0, -1),
});

const run = async (main: Command, path: string, args: readonly string[] = []) =>
  outcomeOf(await runMain(main, path, args));

/** Creates a store with rows in a folder of its own. */
async function storeWith(rows: Record<string, unknown>) {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "gatehouse.kv");
  {
    using kv = await openKv(path);
    for (const [key, value] of Object.entries(rows)) await kv.set([key], value);
  }
  return { path, folder, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

const REFUSED =
  /was made before the first release \((?:no format|format 10), and this version opens formats from \d+ on\)\. To begin with a new store, move all files (\S+)\* away together; in production, also move the witness's store and the anchor away, or the new log halts, because the witness remembers the old one's origin/;

Deno.test("every command that opens a store is in the list", async () => {
  const found = [];
  for await (const { name, isFile } of Deno.readDir(FOLDER)) {
    if (!isFile) continue;
    const text = await Deno.readTextFile(new URL(name, FOLDER));
    if (name !== "command_store.ts" && /\bopenKv(OrExit)?\(/.test(text)) {
      found.push(basename(name, ".ts"));
    }
  }
  assertEquals([...new Set(COMMANDS.map(([name]) => name))], found.sort());
});

const FORMAT_10 = { format: { version: 10 }, store: { id: "a", created_at: "" } };

/** Asserts that a module refuses a store with one line that names its files, and status 2. */
function assertRefused({ code, lines }: Outcome, path: string) {
  assertEquals([code, lines.length], [2, 1], lines.join("\n"));
  assertMatch(lines[0], /^KV_PATH: /);
  assertEquals(REFUSED.exec(lines[0])?.[1], path);
}

for (const [name, main, ...args] of COMMANDS) {
  Deno.test(`${[name, ...args].join(" ")}: a store of format 10 is refused with one line and status 2`, async () => {
    await using store = await storeWith(FORMAT_10);
    const files = args.map((each) =>
      /^(copy|export)\./.test(each) ? join(store.folder, each) : each
    );
    await Deno.writeTextFile(join(store.folder, "export.jsonl"), "{}");
    assertRefused(await run(main, store.path, files), store.path);
  });
}

Deno.test("a store without a format is refused in the same words", async () => {
  await using store = await storeWith({ users_last_id: 1 });
  assertRefused(await run(storeFormat, store.path), store.path);
});

Deno.test("import refuses an export of format 10 with one line and status 2, and writes nothing", async () => {
  await using store = await storeWith({});
  const file = join(store.folder, "old.jsonl");
  const header = {
    ...{ gatehouse_export: 2, store_format: 10, revision: null, store: null, snapshot: true },
    ...{ exported_at: "2026-03-01T00:00:00.000Z", trust_host: "trust.example" },
  };
  for (const store_format of [10, null]) {
    await Deno.writeTextFile(file, `${JSON.stringify({ ...header, store_format })}\n{}\n`);
    const { code, lines } = await run(importStore, store.path, [file]);
    assertEquals([code, lines.length], [2, 1], lines.join("\n"));
    assertMatch(lines[0], /^The export was made before/);
    assertMatch(lines[0], REFUSED);
  }
  using kv = await openKv(store.path);
  assertEquals(await Array.fromAsync(kv.list({ prefix: [] })), []);
});

Deno.test("a command writes nothing to a new store, which the site would then refuse", async () => {
  await using store = await storeWith({ store: { id: "a", created_at: "" } });
  const { code, lines } = await run(chainSign, store.path);
  assertEquals([code, lines], [2, ["KV_PATH: names a new store; start the site with it first"]]);
  using kv = await openKv(store.path);
  assertEquals((await Array.fromAsync(kv.list({ prefix: [] }))).length, 1);
});

/** Starts the site with a store and its witness in files, as development does. */
async function startSite(path: string) {
  const kv = await openKv(path);
  const site = await createSite({ KV_PATH: path }, { kv, openWitnessKv: undefined });
  const { store, migrate, jobs } = site.services;
  await store.claim(migrate).catch(async (error) => {
    await site.services.close();
    throw error;
  });
  return {
    services: site.services,
    /** Publishes the log, and returns the checkpoint that `/log` serves. */
    async publish() {
      await jobs.run("log");
      const response = await site.request("trust", "/log/checkpoint");
      return { status: response.status, text: await response.text() };
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Asserts that the log has a checkpoint with the signatures of the log and of the witness. */
function assertPublished({ status, text }: { status: number; text: string }) {
  assertEquals([status, text.match(/^— /gm)?.length], [200, 2], text);
}

Deno.test("the site refuses a store of format 10; when all files that its line names are moved away, the next start publishes the log", async () => {
  await using store = await storeWith({});
  {
    await using site = await startSite(store.path);
    await site.services.chains.start("a".repeat(64));
    assertPublished(await site.publish());
    await site.services.kv.set(["format"], { version: 10 });
  }
  const error = await assertRejects(() => startSite(store.path), ConfigError);
  assertEquals(error.lines.length, 1);
  const files = REFUSED.exec(error.message)![1];
  const moved = [];
  for await (const { name } of Deno.readDir(dirname(files))) {
    if (!name.startsWith(basename(files))) continue;
    await Deno.rename(join(dirname(files), name), await Deno.makeTempFile());
    moved.push(name);
  }
  assert(moved.includes("gatehouse.kv") && moved.includes("gatehouse.kv-witness"), moved.join());
  await using site = await startSite(store.path);
  assertPublished(await site.publish());
  const { value } = await site.services.kv.get<{ version: number }>(["format"]);
  assertEquals(value?.version, FORMAT);
});

Deno.test("without the witness's store, the new log halts", async () => {
  await using store = await storeWith({});
  {
    await using site = await startSite(store.path);
    await site.services.chains.start("a".repeat(64));
    assertPublished(await site.publish());
  }
  for await (const { name } of Deno.readDir(store.folder)) {
    if (!name.includes("-witness")) await Deno.remove(join(store.folder, name));
  }
  await using site = await startSite(store.path);
  await site.publish();
  await site.publish();
  assert((await site.services.kv.get(["log_halted"])).value !== null);
});

Deno.test("the site exits with one line and status 2 if its store has format 10", async () => {
  await using store = await storeWith(FORMAT_10);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--frozen", "--lock=dev.lock", "tests/stop_child.ts"],
    cwd: new URL("..", import.meta.url),
    env: { KV_PATH: store.path, APP_ENV: "development", PORT: "0", NO_COLOR: "1" },
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertRefused(outcomeOf({ code, out, err }), store.path);
});
