import { assertEquals } from "@std/assert";
import { createSite } from "./site.ts";

const PAST = "2020-01-01T00:00:00.000Z";
const HASH = "ab".repeat(32);

const ROWS: [job: string, key: string[], row: unknown][] = [
  ["due", ["document_uploads", crypto.randomUUID()], {
    store: "kv",
    blobs: [],
    expires_at: PAST,
  }],
  ["due", ["record_deletions", HASH], { due: PAST }],
  ["corrections", ["record_corrections", HASH], {
    state: "moving",
    from: HASH,
    to: "cd".repeat(32),
    erase: [],
    undoneSince: null,
  }],
  ["sign-outs", ["record_sign_outs", HASH], { at: PAST }],
  ["withdrawals", ["document_withdrawals", "7K3M9Q2XB4TW01RA"], {
    document: "7K3M9Q2XB4TW01RA",
    version: 1,
    record: HASH,
    by: "admin@example.org",
    last: null,
  }],
  ["account-deletions", ["user_deletions", "gone@example.org"], { id: 7 }],
  ["recoveries", ["record_recoveries", HASH], {
    address: new Uint8Array(64),
    masked: "a•••@e•••.org",
    by: "admin@example.org",
    note: "passport",
    requested_at: PAST,
    due_at: PAST,
    sent_at: null,
    link: null,
  }],
];

Deno.test("an unfinished sweep continues after its cursor, and the next one reads all rows", async () => {
  await using site = await createSite();
  const { jobs, kv } = site.services;
  for (const [job, key, row] of ROWS) {
    await kv.set(key, row, { expireIn: 60_000 });
    await kv.set(["jobs", job], {
      lease: null,
      last_run: null,
      cursor: job === "due" ? { prefix: key[0], last: "~" } : "~",
    });
    for (const isKept of [true, false]) {
      assertEquals((await jobs.run(job))?.outcome, "done");
      assertEquals((await kv.get(key)).versionstamp !== null, isKept, job);
    }
  }
});
