import { assertEquals } from "@std/assert";
import type { HolderSession } from "../../records/mod.ts";
import {
  type LiveStatus,
  type Permission,
  permissionOf,
  statusOf,
  type Visitor,
} from "./permission.ts";
import type { DocumentRow, DocumentState, DocumentVersion } from "../store.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");
const RECORD = "a".repeat(64);
const ID = "7K3M9Q2XB4TW01RA";

const document = (expires_at: string | null) =>
  ({ id: ID, record: RECORD, expires_at }) as DocumentRow;
const version = (state: DocumentState) => ({ state }) as DocumentVersion;
const holder = (record: string | null, closed: string | null = null) =>
  ({ record, choices: [RECORD], closed }) as HolderSession;
const grant = (expires_at: string, of = ID) => ({
  id: "g1",
  name: "the grant g1",
  document: of,
  record: RECORD,
  expires_at,
});

const AFTER = "2026-03-01T10:00:00.001Z";
const BEFORE = "2026-03-01T10:00:00.000Z"; // the moment itself is too late

const STATUSES: LiveStatus[] = ["current", "replaced", "withdrawn", "expired"];

/** The permission of each visitor for a version that is current, replaced, withdrawn, expired. */
const VISITORS: [title: string, visitor: Partial<Visitor>, ...expected: Permission[]][] = [
  ["a stranger", {}, "public", "public", "public", "public"],
  ["the holder", { holder: holder(RECORD) }, "holder", "holder", "holder", "holder"],
  [
    "the holder with another record open",
    { holder: holder("b".repeat(64)) },
    "public",
    "public",
    "public",
    "public",
  ],
  [
    "the holder who chose no record",
    { holder: holder(null) },
    "public",
    "public",
    "public",
    "public",
  ],
  [
    "the holder of a record that will be deleted",
    { holder: holder(RECORD, BEFORE) },
    "public",
    "public",
    "public",
    "public",
  ],
  ["a grant", { grant: grant(AFTER) }, "grant", "public", "public", "public"],
  ["an expired grant", { grant: grant(BEFORE) }, "public", "public", "public", "public"],
  [
    "a grant for another document",
    { grant: grant(AFTER, "0".repeat(16)) },
    "public",
    "public",
    "public",
    "public",
  ],
  ["an administrator", { operator: true }, "operator", "operator", "operator", "operator"],
  [
    "the holder with a grant",
    { holder: holder(RECORD), grant: grant(AFTER) },
    "holder",
    "holder",
    "holder",
    "holder",
  ],
];

for (const [title, visitor, ...expected] of VISITORS) {
  Deno.test(`${title} reads as: ${expected.join(", ")}`, () => {
    const actual = STATUSES.map((status) => {
      const isExpired = status === "expired";
      const of = document(isExpired ? BEFORE : AFTER);
      const shown = version(isExpired ? "current" : status);
      assertEquals(statusOf(of, shown, NOW), status);
      return permissionOf(
        { holder: null, grant: null, operator: false, ...visitor },
        of,
        shown,
        NOW,
      );
    });
    assertEquals(actual, expected);
  });
}

Deno.test("a replaced or withdrawn version of an expired document keeps that state", () => {
  assertEquals(statusOf(document(BEFORE), version("replaced"), NOW), "replaced");
  assertEquals(statusOf(document(BEFORE), version("withdrawn"), NOW), "withdrawn");
  assertEquals(statusOf(document(null), version("current"), NOW), "current");
});

Deno.test("a document that waits for its recipient is not that of a holder who has chosen no record", () => {
  const waiting = { ...document(null), record: null };
  const visitor = { holder: holder(null), grant: null, operator: false };
  assertEquals(permissionOf(visitor, waiting, version("current"), NOW), "public");
});
