import { assertEquals } from "@std/assert";
import { secretsOf } from "../../base/secrets.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { readResult, titleOf, withResult } from "./action_result.ts";

const START = Date.parse("2026-03-01T10:00:00Z");
const ADA = "ada@example.org";
const PAGE = "/console/alerts?state=open";

const clock = { now: START };
const signer = {
  secrets: secretsOf(() => Promise.resolve([new Uint8Array(32)])),
  clock: () => clock.now,
};
const urlOf = (path: string) => new URL(path, "http://ops.localhost");

Deno.test("a page reads the result of its reader's action for ten minutes", async () => {
  clock.now = START;
  const path = await withResult(signer, ADA, PAGE, "done", "a/b");
  const read = () => readResult(signer, ADA, urlOf(path));
  assertEquals(urlOf(path).searchParams.get("state"), "open");
  assertEquals(await read(), { done: "done", of: "a/b" });
  const bare = await withResult(signer, ADA, "/console", "note");
  assertEquals(await readResult(signer, ADA, urlOf(bare)), { done: "note", of: "" });
  clock.now = START + 10 * MINUTE_MS - 1;
  assertEquals(await read(), { done: "done", of: "a/b" });
  clock.now += 1;
  assertEquals(await read(), null);
  clock.now = START - 1;
  assertEquals(await read(), null, "it is in the future");
});

Deno.test("a page reads no result of another reader, page, action, object or time, and none without its signature", async () => {
  clock.now = START;
  const url = urlOf(await withResult(signer, ADA, PAGE, "done", "a"));
  assertEquals(await readResult(signer, "eve@example.org", url), null);
  const other = new URL(url);
  other.pathname = "/console/inbox";
  assertEquals(await readResult(signer, ADA, other), null);
  for (const name of ["done", "of", "at", "proof"]) {
    const changed = new URL(url);
    changed.searchParams.set(name, name === "at" ? String(START - 1) : "b");
    assertEquals(await readResult(signer, ADA, changed), null, name);
    changed.searchParams.delete(name);
    assertEquals(await readResult(signer, ADA, changed), null, name);
  }
});

Deno.test("a result has a title only while its object is in the state that the action led to", () => {
  const asked = { done: "change", of: "L1" };
  const text = { title: (name: string) => `Changed ${name}`, back: "undo" } as const;
  assertEquals(titleOf(text, asked, { name: "Ada" }), "Changed Ada");
  const after = { ...text, after: (of: string) => of };
  assertEquals(titleOf(after, asked, { name: "Ada", states: ["L2", "L1"] }), "Changed Ada");
  assertEquals(titleOf(after, asked, { name: "Ada", states: ["L2"] }), null);
  assertEquals(titleOf(after, asked, {}), null);
});
