import { assertEquals, assertStringIncludes } from "@std/assert";
import { dirname, join } from "node:path";
import { main as chainReconcile } from "../lib/app/commands/chain_reconcile.ts";
import type { Command } from "../lib/app/commands/command.ts";
import { main as logMove } from "../lib/app/commands/log_move.ts";
import { main as logRecover } from "../lib/app/commands/log_recover.ts";
import { createChains } from "../lib/features/chain/mod.ts";
import { documentRows, formatDocumentId } from "../lib/features/documents/mod.ts";
import { type LoggedDocument, statementsOf } from "../lib/features/documents/statements.ts";
import { createAddKeys, openLogKeys } from "../lib/features/log/mod.ts";
import { createAddEvent } from "../lib/features/log/store/chains.ts";
import { noteOrigin } from "../lib/features/log/store/origin.ts";
import { LANES, putPending } from "../lib/features/log/store/pending.ts";
import { sequenceBatch } from "../lib/features/log/store/sequence.ts";
import { createLogFiles } from "../lib/features/log/store/serve.ts";
import { logOrigin } from "../lib/features/log/store/tables.ts";
import { createTestLog, createTestPublisher } from "../lib/features/log/testing/fixtures.ts";
import { FORMAT, openKv } from "../lib/platform/kv/mod.ts";
import { documentEntry, type LogEntry } from "../packages/proof/mod.ts";
import { type CommandRun, runMain } from "./run_command.ts";

const HOST = "trust.localhost:8000";
const ORIGIN = `${HOST}/log`;
const HASH = "c".repeat(64);
const LOST = "d".repeat(64);
const [DOCUMENT, DELETED, NEW] = ["7K3M9Q2XB4TW0ZRA", "7K3M9Q2XB4TW0ZRB", "7K3M9Q2XB4TW0ZRC"];

const textOf = ({ code, out, err }: CommandRun) => ({ code, text: out + err });

const run = async (main: Command, store: string, args: string[], env?: Record<string, string>) =>
  textOf(await runMain(main, store, args, env));

/** Returns a registered document with some versions. */
function documentOf(id: string, versions: number): LoggedDocument {
  const file = {
    blob: "",
    store: "kv",
    sha256: "1".repeat(64),
    size: 1,
    media_type: "a/b",
  } as const;
  const at = "2026-01-01T00:00:00.000Z";
  return {
    ...{ id, record: HASH, organisation: "commercial", title: "Letter", kind: "Letter" },
    issuer: { id: "commercial", name: "Organisation" },
    ...{ public: false, guessable: false, expires_at: null, created_at: at },
    log_salt: "ab".repeat(32),
    versions: Array.from({ length: versions }, (_, i) => ({
      ...{ number: i + 1, at, by: "admin@example.org", state: "current", original: file },
      ...{ file_name: "a.txt", issued: null, pages: null },
    })),
  };
}

const entriesOf = (document: LoggedDocument) => statementsOf(document).map(documentEntry);

/** Opens a store as the site does, with a log of its own. */
async function openSite(path: string) {
  const kv = await openKv(path);
  const signers = () => openLogKeys(kv, [], ORIGIN);
  const clock = Date.now;
  const chains = createChains({
    kv,
    clock,
    publisher: HOST,
    signingKey: undefined,
    addToEvent: createAddEvent({ kv, clock, committed: () => {} }),
    addToKeys: createAddKeys({ kv, clock }),
  });
  const publisher = await createTestPublisher(kv, { origin: ORIGIN, signers });
  const files = createLogFiles({ kv, log: { ...createTestLog(kv), signers }, url: "" });
  return {
    kv,
    chains,
    async publish() {
      await sequenceBatch(kv);
      await publisher.publish();
    },
    /** Writes what is served into a folder. */
    async copyTo(folder: string) {
      const text = (await files.checkpoint())!;
      const bundle = `tile/entries/000.p/${text.split("\n")[1]}`;
      await Deno.mkdir(dirname(join(folder, bundle)), { recursive: true });
      await Deno.mkdir(join(folder, "keys"));
      await Deno.writeTextFile(join(folder, "checkpoint"), text);
      await Deno.writeFile(join(folder, bundle), (await files.tile(bundle))!);
      await Deno.writeFile(join(folder, "keys/1"), (await files.keySet("1"))!);
    },
  };
}

Deno.test("a restored store gets its log and its missing events back from a copy of the log, and moves to another host", async () => {
  const folder = await Deno.makeTempDir();
  const [path, backup, copy] = ["site.kv", "backup.kv", "copy"].map((name) => join(folder, name));
  {
    const site = await openSite(path);
    await site.kv.set(["format"], { version: FORMAT });
    await noteOrigin(site.kv, ORIGIN, Date.now());
    await site.chains.start(HASH);
    await site.publish();
    const exported_at = new Date().toISOString();
    const store = { id: crypto.randomUUID(), created_at: exported_at };
    const restored = { exported_at, imported_at: null, trust_host: HOST };
    await site.kv.set(["store"], { ...store, restored });
    site.kv.close();
    await Deno.copyFile(path, backup);
  }
  const site = await openSite(path);
  await site.chains.append(HASH, "email_confirmed");
  await site.publish();
  await site.copyTo(copy);
  const { tip } = (await site.chains.head(HASH))!;
  site.kv.close();

  // A copy that was made with other tools has no mark of a restored one.
  const unmarked = join(folder, "unmarked.kv");
  await Deno.copyFile(backup, unmarked);
  const plain = await openKv(unmarked);
  await plain.delete(["store"]);
  plain.close();
  const unknown = await run(chainReconcile, unmarked, [copy]);
  assertStringIncludes(unknown.text, "1 event of 1 chain restored");
  assertEquals(unknown.code, 0, unknown.text);

  const reconciled = await run(chainReconcile, backup, ["--complete", copy]);
  assertStringIncludes(reconciled.text, "The log has 3 entries; the store had 2.");
  assertStringIncludes(reconciled.text, "1 event of 1 chain restored");
  assertStringIncludes(reconciled.text, "The store has everything that the log has.");
  assertEquals(reconciled.code, 0, reconciled.text);
  const restored = await openSite(backup);
  assertEquals((await restored.chains.head(HASH))!.tip, tip);
  restored.kv.close();

  assertStringIncludes(
    (await run(logRecover, backup, [join(folder, "none")])).text,
    "The checkpoint is malformed.",
  );
  const moved = await run(logMove, backup, [], { PORT: "9000" });
  assertStringIncludes(
    moved.text,
    "The log is trust.localhost:9000/log now, with the 3 entries of",
  );
  const again = await run(logMove, backup, [], { PORT: "9000" });
  assertEquals(again, { code: 1, text: "The log is trust.localhost:9000/log already.\n" });
  const empty = await run(logMove, backup, ["--empty"], { PORT: "9001" });
  assertStringIncludes(
    empty.text,
    "The log starts over as trust.localhost:9001/log, with 2 events",
  );
  const kv = await openKv(backup);
  assertEquals((await logOrigin.get(kv)).value!.origin, "trust.localhost:9001/log");
  kv.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a restored store that lacks records and statements about documents names them, and is written to only with --accept-loss", async () => {
  const folder = await Deno.makeTempDir();
  const [path, backup, copy] = ["site.kv", "backup.kv", "copy"].map((name) => join(folder, name));
  const addAll = async (kv: Deno.Kv, entries: LogEntry[]) => {
    const commit = kv.atomic();
    putPending(commit, entries, LANES.live, Date.now());
    await commit.commit();
  };
  {
    const site = await openSite(path);
    await site.kv.set(["format"], { version: FORMAT });
    await noteOrigin(site.kv, ORIGIN, Date.now());
    await site.chains.start(HASH);
    const commit = site.kv.atomic();
    documentRows.put(commit, [DOCUMENT], documentOf(DOCUMENT, 1));
    await commit.commit();
    // The other one was deleted before the backup, so it is not lost.
    await addAll(site.kv, [DOCUMENT, DELETED].flatMap((id) => entriesOf(documentOf(id, 1))));
    await site.publish();
    const exported_at = new Date().toISOString();
    const restored = { exported_at, imported_at: null, trust_host: HOST };
    await site.kv.set(["store"], { id: crypto.randomUUID(), created_at: exported_at, restored });
    site.kv.close();
    await Deno.copyFile(path, backup);
  }
  const site = await openSite(path);
  await site.chains.start(LOST);
  await site.chains.append(LOST, "email_confirmed");
  await addAll(site.kv, [
    ...entriesOf(documentOf(DOCUMENT, 2)).slice(1),
    ...entriesOf(documentOf(NEW, 1)),
  ]);
  await site.publish();
  await site.copyTo(copy);
  site.kv.close();

  const { code, text } = await run(chainReconcile, backup, ["--complete", copy]);
  assertEquals(code, 1, text);
  assertStringIncludes(text, "Lost: 1 statement about 1 document that the store has");
  assertStringIncludes(text, `  ${formatDocumentId(DOCUMENT)}\n`);
  assertStringIncludes(
    text,
    "Lost: 3 entries of records and documents that are not in the store.",
  );
  assertStringIncludes(text, "run deno task chain:reconcile --accept-loss");
  assertEquals(text.includes("signing keys"), false);

  // The log is rebuilt now, so the copy is not needed again.
  const again = await run(chainReconcile, backup, []);
  assertEquals(again.code, 1);
  assertStringIncludes(again.text, "Lost: 3 entries");
  const both = await run(chainReconcile, backup, ["--complete", "--accept-loss"]);
  assertEquals(both.code, 2);
  const accepted = await run(chainReconcile, backup, ["--accept-loss"]);
  assertEquals(accepted.code, 0, accepted.text);
  assertStringIncludes(accepted.text, "The site can write to the store now.");
  await Deno.remove(folder, { recursive: true });
});
