import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { main as chainSign } from "../lib/app/commands/chain_sign.ts";
import type { Command } from "../lib/app/commands/command.ts";
import { main as contactDelete } from "../lib/app/commands/contact_delete.ts";
import { main as signInLink } from "../lib/app/commands/sign_in_link.ts";
import { main as storeFormat } from "../lib/app/commands/store_format.ts";
import { main as userDelete } from "../lib/app/commands/user_delete.ts";
import { VERSION } from "../lib/platform/config/release.ts";
import { FORMAT } from "../lib/platform/kv/mod.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { type CommandRun, runMain, startMain } from "./run_command.ts";
import { serve } from "./site.ts";
import { commandFaults } from "./words.ts";

const COMMANDS: [name: string, main: Command, ...args: string[]][] = [
  ["chain_sign", chainSign],
  ["contact_delete", contactDelete, "admin@example.org"],
  ["sign_in_link", signInLink, "admin@example.org", "site"],
  ["store_format", storeFormat],
  ["user_delete", userDelete, "admin@example.org"],
];

/** Calls `use` with the path of a store that does not exist, and checks that the command has not created it. */
async function withMissingStore(use: (path: string) => Promise<CommandRun>): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "mistyped", "site.kv");
  assertEquals(await use(path), {
    code: 2,
    out: "",
    err: `KV_PATH: there is no store at ${path}\n`,
  });
  assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  await Deno.remove(folder, { recursive: true });
}

for (const [name, main, ...args] of COMMANDS) {
  Deno.test(`${name} exits with 2 if the store does not exist, and does not create it`, () =>
    withMissingStore((path) => runMain(main, path, args)));
}

Deno.test("the process of a command prints its last line and exits with its status", async () => {
  await withMissingStore((path) => startMain("user_delete", path, ["admin@example.org"]));
});

Deno.test("--version prints the version, without a store or a configuration", async () => {
  assertEquals(await runMain(userDelete, "missing", ["--version"], { APP_ENV: "wrong" }), {
    code: 0,
    out: `Gatehouse ${VERSION}\n`,
    err: "",
  });
});

Deno.test("every command that can be called starts if its module is the one of the process", async () => {
  const folder = new URL("../lib/app/commands/", import.meta.url);
  const callable = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    if (!/^export async function main\(/m.test(text)) continue;
    assertStringIncludes(text, "\nif (import.meta.main) await startCommand(main);\n", name);
    callable.push(name);
  }
  assert(callable.length >= COMMANDS.length);
});

Deno.test("store:format says that the store has this version's format, and exits with 2 if it is newer", async () => {
  await using store = await tempKv();
  const cases: [version: number, code: number, text: RegExp][] = [
    [FORMAT, 0, new RegExp(`^The store has format ${FORMAT}, as this version\\.\n$`)],
    [FORMAT + 1, 2, /^KV_PATH: was written by a newer version /],
  ];
  for (const [version, expected, text] of cases) {
    await store.kv.set(["format"], { version });
    const { code, out, err } = await runMain(storeFormat, store.path);
    assertEquals(code, expected);
    assertMatch(out + err, text);
  }
});

Deno.test("a command prints one line and exits with 2 if its store cannot be opened", async () => {
  const folder = await Deno.makeTempDir();
  const text = join(folder, "text.kv");
  await Deno.writeTextFile(text, "not a database\n".repeat(100));
  const reasons: Record<string, RegExp> = {
    ":memory:": /^KV_PATH: must be the path of the running site's store; .+\n$/,
    "http://127.0.0.1:1/store": /^KV_PATH: .+ \(no KV Connect server at .+: connection failed\)\n$/,
    [text]: /^KV_PATH: should be a store that can be opened \(.*not a database.*\)\n$/,
    [folder]: /^KV_PATH: should be a store that can be opened \(.+\)\n$/,
  };
  await Promise.all(
    Object.entries(reasons).map(async ([store, reason]) => {
      const args = ["admin@example.org"];
      const { code, out, err } = await (store.startsWith("http")
        ? startMain("user_delete", store, args) // with a token in the process's environment
        : runMain(userDelete, store, args));
      assertEquals([code, out], [2, ""], err);
      assertMatch(err, reason);
    }),
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("check-document hashes a file, and exits with 2 if nothing responds", async () => {
  const file = await Deno.makeTempFile();
  await Deno.writeTextFile(file, "abc");
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "check-document", file, "--at", "http://127.0.0.1:1"],
    cwd: new URL("..", import.meta.url),
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals(code, 2);
  assertMatch(
    new TextDecoder().decode(stdout),
    /^SHA-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\nNot checked: .+ could not be reached\.\n/,
  );
  await Deno.remove(file);
});

Deno.test("the site exits with one line that names KV_PATH if a KV Connect URL is unreachable", async () => {
  await using server = serve(async (request) => {
    await request.body?.cancel();
    return new Response("<p>\nt\n</p>", { status: 500 });
  });
  const url = `http://127.0.0.1:${server.port}/store`;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--frozen", "--lock=dev.lock", "tests/stop_child.ts"],
    cwd: new URL("..", import.meta.url),
    env: { KV_PATH: url, DENO_KV_ACCESS_TOKEN: "t", PORT: "0", NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stderr);
  assertEquals(code, 2);
  const line = `KV_PATH: should be a store that can be opened (no KV Connect server at ${url}: ` +
    "status 500 Internal Server Error)";
  assertEquals(text, `${line}\n`);
});

Deno.test("the messages of commands use the words of the glossary", async () => {
  const folder = new URL("../lib/app/commands/", import.meta.url);
  const faults = [];
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (!isFile) continue;
    faults.push(...commandFaults(await Deno.readTextFile(new URL(name, folder))));
  }
  assertEquals(faults, []);
  assertEquals(commandFaults('refuse("The inquiry is gone.")').length, 1);
});

Deno.test("a command that passes log to forEach prints each line, without its index", async () => {
  const module = new URL("../lib/app/commands/command.ts", import.meta.url);
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      `import { startCommand } from "${module}";
      await startCommand(({ log }) => Promise.resolve(["one", "two"].forEach(log)));`,
    ],
    cwd: new URL("..", import.meta.url),
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals(new TextDecoder().decode(stdout), "one\ntwo\n");
});
