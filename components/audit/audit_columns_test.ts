import { assertEquals, assertStringIncludes } from "@std/assert";
import { addAudit, createAuditLog } from "../../lib/features/audit/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/base/time.ts";
import { openKv } from "../../lib/platform/kv/mod.ts";
import { exportOf } from "../../lib/platform/listing/export.ts";
import { createSecrets } from "../../lib/platform/secrets.ts";
import { AUDIT_COLUMNS } from "./audit_columns.tsx";

/** Returns an audit log with entries one minute after each other; the detail is their number. */
async function setUp(count: number, byOf: (i: number) => string) {
  const kv = await openKv(":memory:");
  const start = Date.parse("2026-03-01T10:00:00Z");
  const secrets = createSecrets({ kv, given: [new Uint8Array(32)] });
  const clock = () => start + count * MINUTE_MS + HOUR_MS;
  for (let i = 0; i < count; i += 150) {
    const commit = kv.atomic();
    for (let j = i; j < Math.min(count, i + 150); j++) {
      const entry = { organisation: "commercial", by: byOf(j), action: "sign_in" } as const;
      addAudit(commit, { ...entry, detail: String(j) }, start + j * MINUTE_MS);
    }
    await commit.commit();
  }
  return {
    file: (format: "csv" | "json") =>
      exportOf(
        { name: "audit-log", format },
        AUDIT_COLUMNS,
        createAuditLog({ kv, clock, secrets }).all("commercial", {}),
      ),
    [Symbol.dispose]: () => kv.close(),
  };
}

const EXPORTED = Object.entries(AUDIT_COLUMNS).filter(([, { value }]) => value !== undefined)
  .map(([name]) => name);

Deno.test("the CSV file has every entry that matches, and no cell is a formula", async () => {
  using fixture = await setUp(
    1_200,
    (i) => i === 0 ? "=cmd|'/c calc'!a0@example.org" : "ada@example.org",
  );
  const lines = (await fixture.file("csv").text()).trim().split("\r\n");
  assertEquals(lines.length, 1_201);
  assertEquals(lines[0], EXPORTED.map((name) => `"${name}"`).join(","));
  assertEquals(
    lines[1],
    '"2026-03-02T05:59:00.000Z","ada@example.org","sign_in","","","","","","","","1199"',
  );
  assertStringIncludes(lines[1_200], `,"'=cmd|`);
});

Deno.test("the JSON file has the same columns, and is an empty array without entries", async () => {
  using fixture = await setUp(2, () => "=ada@example.org");
  const response = fixture.file("json");
  assertEquals(
    response.headers.get("content-disposition"),
    'attachment; filename="audit-log.json"',
  );
  const [newest, ...others] = await response.json();
  assertEquals(others.length, 1);
  assertEquals(Object.keys(newest), EXPORTED);
  assertEquals([newest.by, newest.record, newest.detail], ["=ada@example.org", null, "1"]);
  using empty = await setUp(0, () => "");
  assertEquals(await empty.file("json").json(), []);
});
