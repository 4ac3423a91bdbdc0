import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { createSecrets } from "../../platform/secrets.ts";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import {
  addAudit,
  AUDIT_LIFETIME_MS,
  type AuditAction,
  type AuditQuery,
  createAuditLog,
} from "./mod.ts";

const ADA = "ada@example.org";
const BOB = "bob@example.org";

async function auditFixture() {
  const kv = limitKv(await openKv(":memory:"));
  const clock = { now: Date.parse("2026-03-01T10:00:00Z") };
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const audit = createAuditLog({ kv, clock: () => clock.now, secrets });
  return {
    kv,
    clock,
    audit,
    /** Adds entries one minute after each other; the detail is their number. */
    async fill(
      count: number,
      entry: (i: number) => { by?: string; action?: AuditAction } = () => ({}),
    ) {
      for (let i = 0; i < count; i += 150) {
        const commit = kv.atomic();
        for (let j = i; j < Math.min(count, i + 150); j++) {
          const filled = { by: ADA, action: "sign_in" as const, detail: String(j), ...entry(j) };
          addAudit(commit, { organisation: "commercial", ...filled }, clock.now + j * MINUTE_MS);
        }
        await commit.commit();
      }
      clock.now += count * MINUTE_MS;
    },
    async pages(query: AuditQuery) {
      const pages: number[][] = [];
      let after: AuditQuery["after"];
      while (true) {
        const { entries, next } = await audit.list("commercial", { ...query, after });
        pages.push(entries.map(({ detail }) => Number(detail)));
        if (next === null) return pages;
        after = next;
      }
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, i) => from - i);

Deno.test("entries are listed in full pages, newest first, with any filters", async () => {
  using fixture = await auditFixture();
  const { audit } = fixture;
  // Every third entry is Bob's.
  await fixture.fill(160, (i) => ({
    by: i % 3 === 0 ? BOB : ADA,
    action: i < 60 ? "document_added" : "sign_in",
  }));
  assertEquals(await fixture.pages({}), [down(159, 110), down(109, 60), down(59, 10), down(9, 0)]);
  const bobs = down(159, 0).filter((i) => i % 3 === 0);
  const person = await audit.personKey(BOB);
  assertEquals(await fixture.pages({ person }), [bobs.slice(0, 50), bobs.slice(50)]);
  assertEquals(await fixture.pages({ action: "document_added" }), [down(59, 10), down(9, 0)]);
  assertEquals(await fixture.pages({ person, action: "document_added" }), [
    bobs.filter((i) => i < 60),
  ]);
  assertEquals(await fixture.pages({ person: "nobody0123456789" }), [[]]);
});

Deno.test("a period contains its first and last day in UTC", async () => {
  using fixture = await auditFixture();
  const { clock } = fixture;
  clock.now = Date.parse("2026-03-01T23:59:00Z");
  await fixture.fill(2); // at 23:59 and at midnight
  clock.now = Date.parse("2026-03-02T23:59:59.999Z");
  await fixture.fill(1, () => ({ by: BOB }));
  clock.now = Date.parse("2026-03-03T00:00:00Z");
  await fixture.fill(1, () => ({ by: BOB }));
  const count = async (query: AuditQuery) => (await fixture.pages(query)).flat().length;
  assertEquals(await count({ from: "2026-03-01", to: "2026-03-01" }), 1);
  assertEquals(await count({ from: "2026-03-02", to: "2026-03-02" }), 2);
  assertEquals(await count({ from: "2026-03-03" }), 1);
  assertEquals(await count({ to: "2026-03-02" }), 3);
  const after = { at: "2026-03-09T00:00:00.000Z", id: "x" };
  assertEquals(
    (await fixture.audit.list("commercial", { to: "2026-03-01", after })).entries.length,
    1,
  );
});

Deno.test("rare entries of a person are on one page, and no other entries are read for it", async () => {
  using fixture = await auditFixture();
  await fixture.fill(400, (i) => i % 200 === 2 ? { by: BOB, action: "user_deleted" } : {});
  const { audit, kv } = fixture;
  const person = await audit.personKey(BOB);
  const read: Deno.KvKey[] = [];
  const getMany = kv.getMany.bind(kv);
  kv.getMany = (keys, options) => (read.push(...keys), getMany(keys, options));
  assertEquals(await fixture.pages({ person }), [[202, 2]]);
  assertEquals(await fixture.pages({ person, action: "user_deleted" }), [[202, 2]]);
  assertEquals(await fixture.pages({ person, action: "sign_in" }), [[]]);
  assertEquals(read.length, 4);
});

Deno.test("an entry expires after a year, in the store and on every read", async () => {
  using fixture = await auditFixture();
  const { audit, clock, kv } = fixture;
  await fixture.fill(1);
  const [entry] = (await audit.list("commercial", {})).entries;
  clock.now = Date.parse(entry.expires_at) - 1;
  assertEquals((await audit.list("commercial", {})).entries.length, 1);
  assertEquals(Date.parse(entry.expires_at) - Date.parse(entry.at), 365 * DAY_MS);
  clock.now += 1;
  assertEquals((await audit.list("commercial", {})).entries, []);
  assertEquals(await Array.fromAsync(audit.all("commercial", {})), []);

  const given: unknown[] = [];
  const commit = kv.atomic();
  commit.set = (_key, _value, options) => {
    given.push(options);
    return commit;
  };
  addAudit(commit, { organisation: "foundation", by: ADA, action: "sign_in" }, clock.now);
  assertEquals(given, Array.from({ length: 5 }, () => ({ expireIn: AUDIT_LIFETIME_MS })));
});
