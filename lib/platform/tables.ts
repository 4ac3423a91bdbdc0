import { inDays } from "../base/time.ts";
import { OUTCOME_LIFETIME_MS } from "./jobs/mod.ts";
import { ALWAYS, defineTable, expires, type TableDescription, untilUsed } from "./kv/mod.ts";

const singleRow = (prefix: string) =>
  defineTable({ prefix, owner: "nobody", lifetime: ALWAYS, per: "store" });

/** The mail and notifications that wait, which features describe on the privacy page. */
const MESSAGES = [
  { section: "sign_in", label: "Mail to you" },
  { section: "enquiry", label: "Mail to you and our team" },
  { section: "record", label: "Notifications" },
  { section: "record", label: "Security notices" },
] as const;

/** The tables that no feature owns. */
export const PLATFORM_TABLES: readonly TableDescription[] = [
  defineTable({
    prefix: "outbox",
    owner: "nobody",
    lifetime: untilUsed("until it is sent, at most until its link expires (7 days)", "mail, push"),
    per: "mail or notification",
    privacy: MESSAGES,
  }),
  defineTable({
    prefix: "outbox_dead",
    owner: "nobody",
    lifetime: expires("until its link would have expired (7 days)"),
    per: "message that could not be sent",
    privacy: MESSAGES,
  }),
  defineTable({
    prefix: "outbox_outcomes",
    owner: "record",
    lifetime: expires(inDays(OUTCOME_LIFETIME_MS)),
    per: "mail about a record",
    privacy: { section: "enquiry", label: "Mail to you and our team" },
  }),
  defineTable({ prefix: "stats", owner: "nobody", lifetime: ALWAYS, per: "counter" }),
  defineTable({
    prefix: "versions",
    owner: "organisation",
    lifetime: ALWAYS,
    per: "organisation and list",
  }),
  defineTable({ prefix: "jobs", owner: "nobody", lifetime: ALWAYS, per: "job" }),
  singleRow("app_secret"),
  singleRow("format"),
  singleRow("store"),
];
