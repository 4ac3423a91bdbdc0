import { ALWAYS, defineTable } from "../../platform/kv/mod.ts";

const PUBLISHED = {
  kept: "as long as records are published",
  removedBy: "nothing",
} as const;

const CHAIN = {
  section: "enquiry",
  label: "Its chain",
  text: "The record's hash and the events of the record, with their times and our signature. " +
    "Anyone who has the hash can read the chain for as long as we publish records. It " +
    "contains no personal data: because the hash includes the salt, nobody can use it to " +
    "test a guess about you.",
} as const;

export const chainTables = [
  defineTable({
    prefix: "chains",
    owner: "nobody",
    lifetime: PUBLISHED,
    per: "record",
    privacy: CHAIN,
  }),
  defineTable({
    prefix: "chain_events",
    owner: "nobody",
    lifetime: PUBLISHED,
    per: "event of a record",
    privacy: CHAIN,
  }),
  defineTable({ prefix: "chain_keys", owner: "nobody", lifetime: ALWAYS, per: "signing key" }),
  defineTable({
    prefix: "chain_keys_withdrawn",
    owner: "nobody",
    lifetime: ALWAYS,
    per: "withdrawn signing key",
  }),
  defineTable({ prefix: "chain_signing_key", owner: "nobody", lifetime: ALWAYS, per: "store" }),
];
