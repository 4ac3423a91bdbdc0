import { defineTable, expires, untilUsed } from "../../platform/kv/mod.ts";

export const bankTables = [
  defineTable({
    prefix: "bank_cache",
    owner: "organisation",
    lifetime: expires("30 days"),
    per: "kind of bank data and console",
  }),
  defineTable({
    prefix: "bank_daily",
    owner: "organisation",
    lifetime: expires("90 days"),
    per: "bank account",
  }),
  defineTable({
    prefix: "bank_outages",
    owner: "organisation",
    lifetime: untilUsed("until the bank responds", "bank"),
    per: "organisation",
  }),
];
