/** The tables and migrations of the platform itself, next to those of the features. */
import { z } from "zod";
import type { Secrets } from "../base/secrets.ts";
import { deadLetters, deliveries, jobTable, messages, sealedMessages } from "./jobs/mod.ts";
import {
  ALWAYS,
  CHANGES,
  commitTable,
  counter,
  defineTable,
  type TableDescription,
} from "./kv/mod.ts";
import { mailAddresses } from "./mail/mod.ts";
import { secretAges, secretReports } from "./secret_states.ts";
import { secretTable } from "./secrets.ts";
import {
  backupTable,
  formatTable,
  type Migration,
  resealStep,
  storeIds,
  storeTable,
} from "./store/mod.ts";

/** The tables that no feature owns. */
export const PLATFORM_TABLES: readonly TableDescription[] = [
  messages,
  deadLetters,
  deliveries,
  mailAddresses,
  defineTable({
    prefix: "stats",
    value: z.union([counter, z.iso.datetime()]),
    owner: "nobody",
    lifetime: ALWAYS,
    per: "counter",
  }),
  // The counters of `changeVersion`.
  defineTable({
    prefix: "versions",
    value: counter,
    owner: "organisation",
    lifetime: ALWAYS,
    per: "organisation and list",
  }),
  defineTable({
    prefix: CHANGES,
    value: z.literal(0),
    owner: "nobody",
    lifetime: { kept: "256 rows", removedBy: "nothing" },
    per: "store",
  }),
  jobTable,
  commitTable,
  secretTable,
  secretAges,
  secretReports,
  formatTable,
  storeTable,
  storeIds,
  backupTable,
];

/** The migrations of {@link PLATFORM_TABLES}. */
export const platformMigrations = (
  store: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
): readonly Migration[] => [
  {
    name: "messages",
    label: "messages that wait to be sent",
    rotates: true,
    beside: "the messages can be read with both secrets",
    step: resealStep({ ...store, ...sealedMessages }),
  },
];
