import { ALWAYS, defineTable } from "../../platform/kv/mod.ts";

export const trustPageTables = [
  defineTable({
    prefix: "pages",
    otherIndexes: ["pages_by_hash"],
    owner: "nobody",
    lifetime: ALWAYS,
    per: "version of a page",
  }),
];
