import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import { createCatalogue } from "./mod.ts";
import {
  createSaved,
  MAX_RECENTS,
  MAX_SAVED_QUALIFICATIONS,
  MAX_SAVED_SEARCHES,
  RECENT_LIFETIME_MS,
} from "./saved.ts";

const catalogue = createCatalogue();
const CODES = catalogue.all.map(({ code }) => code);
const ADA = 1;

async function setUp() {
  const kv = await openKv(":memory:");
  const time = { now: 0 };
  await kv.set(["users", ADA], { id: ADA });
  const logged: unknown[] = [];
  const saved = createSaved({
    kv,
    clock: () => time.now,
    catalogue,
    log: (entry) => logged.push(entry),
  });
  return { kv, time, saved, logged, [Symbol.dispose]: () => kv.close() };
}

Deno.test("saving twice stores once and keeps the first time; removing twice changes nothing", async () => {
  using setup = await setUp();
  const { saved, time } = setup;
  for (time.now = 0; time.now < 2; time.now++) {
    assertEquals(await saved.change(ADA, { save: "BSB50420" }), { ok: true });
    assertEquals(await saved.change(ADA, { saveSearch: { q: "care", level: 3 } }), { ok: true });
  }
  const saved_at = new Date(0).toISOString();
  const { qualifications, searches } = await saved.read(ADA);
  assertEquals(qualifications, [{ code: "BSB50420", saved_at }]);
  assertEquals(searches, [{ filters: { q: "care", level: 3 }, saved_at }]);
  for (let i = 0; i < 2; i++) {
    assertEquals(await saved.change(ADA, { remove: "BSB50420" }), { ok: true });
    assertEquals(await saved.change(ADA, { removeSearch: { q: "care", level: 3 } }), { ok: true });
  }
  assertEquals(await saved.read(ADA), { qualifications: [], searches: [], recents: [] });
});

Deno.test("simultaneous changes are all stored", async () => {
  using setup = await setUp();
  const codes = CODES.slice(0, 8);
  await Promise.all(codes.map((save) => setup.saved.change(ADA, { save })));
  const { qualifications } = await setup.saved.read(ADA);
  assertEquals(qualifications.map(({ code }) => code).sort(), codes);
});

Deno.test("the limits are exact, and the fullest row fits into a value of the store", async () => {
  using setup = await setUp();
  const { kv, saved } = setup;
  const saved_at = new Date(0).toISOString();
  const longest = { q: "\u{1F600}".repeat(50), level: 8, package: "BSB", status: "superseded" };
  await kv.set(["user_data", ADA], {
    qualifications: CODES.slice(1, MAX_SAVED_QUALIFICATIONS).map((code) => ({ code, saved_at })),
    searches: Array.from({ length: MAX_SAVED_SEARCHES - 1 }, (_, i) => ({
      filters: { ...longest, q: longest.q.slice(2) + String(i).padStart(2, "0") },
      saved_at,
    })),
    recents: [],
  });
  assertEquals(await saved.change(ADA, { save: CODES[0] }), { ok: true });
  const refused = await saved.change(ADA, { save: CODES.at(-1)! });
  assert(!refused.ok && refused.error === "conflict");
  assertEquals(await saved.change(ADA, { save: CODES[0] }), { ok: true }, "it is already saved");
  assertEquals(await saved.change(ADA, { saveSearch: { q: "last" } }), { ok: true });
  const full = await saved.change(ADA, { saveSearch: { q: "one more" } });
  assert(!full.ok && full.error === "conflict");
  for (const code of CODES.slice(0, MAX_RECENTS + 3)) await saved.opened(ADA, code);
  const items = await saved.read(ADA);
  assertEquals(
    [items.qualifications.length, items.searches.length, items.recents.length],
    [MAX_SAVED_QUALIFICATIONS, MAX_SAVED_SEARCHES, MAX_RECENTS],
  );
});

Deno.test("an unknown code, an empty search and a deleted user are refused", async () => {
  using setup = await setUp();
  const { kv, saved } = setup;
  const errorOf = async (change: Parameters<typeof saved.change>[1]) => {
    const result = await saved.change(ADA, change);
    return result.ok ? null : result.error;
  };
  assertEquals(await errorOf({ save: "BSB00000" }), "not_found");
  assertEquals(await errorOf({ saveSearch: { q: "" } }), "invalid_request");
  await kv.delete(["users", ADA]);
  assertEquals(await errorOf({ save: "BSB50420" }), "unauthenticated");
  await saved.opened(ADA, "BSB50420");
  assertEquals((await kv.get(["user_data", ADA])).value, null);
});

Deno.test("a store that refuses writes is logged, and opening a qualification still works", async () => {
  using setup = await setUp();
  setup.kv.atomic = () => {
    throw new Deno.errors.NotCapable("read-only");
  };
  await setup.saved.opened(ADA, CODES[0]);
  assertEquals(setup.logged, [
    { level: "warn", event: "recents_not_written", error: "NotCapable" },
  ]);
});

Deno.test("recents are the last opened, once each, for 90 days", async () => {
  using setup = await setUp();
  const { saved, time } = setup;
  const codes = async () => (await saved.read(ADA)).recents.map(({ code }) => code);
  const [a, b] = CODES;
  await saved.opened(ADA, a);
  time.now = DAY_MS;
  for (const code of [b, a, b]) await saved.opened(ADA, code);
  assertEquals(await codes(), [b, a]);
  time.now = RECENT_LIFETIME_MS;
  assertEquals(await codes(), [b, a]);
  time.now += DAY_MS;
  assertEquals(await codes(), []);
  await saved.opened(ADA, a);
  assertEquals(await codes(), [a]);
  await saved.change(ADA, { clearRecents: true });
  assertEquals(await codes(), []);
});
