import { inDays, inHours } from "../../base/time.ts";
import { defineTable, expires, untilUsed, WITH_RECORD } from "../../platform/kv/mod.ts";
import { UNSEEN_MS } from "./rows.ts";
import { PUSH_LIFETIME_MS } from "./sender.ts";

const UNSEEN = inDays(UNSEEN_MS);

const privacy = {
  section: "record",
  label: "Notifications",
  text: "If you turn on notifications, for each phone and browser: the address at which its push " +
    "service reaches it, encrypted, with a fingerprint (SHA-256); what kind of device it is; " +
    "when you added it, with which connected app, when it was last seen and whether sending to " +
    "it failed. We delete it when you remove it, when you disconnect that app, when you sign " +
    `out of it, and ${UNSEEN} after it was last ` +
    "seen. Also the kinds of events and the quiet hours that you choose, the times of your " +
    "latest tests for an hour, and each notification, encrypted, until it is sent, for at most " +
    `${inHours(PUSH_LIFETIME_MS)}. A notification contains a general text and the number and ` +
    "hash of the event, and nothing about you. It passes through the push service of the device: " +
    "Apple, Google, Mozilla or Microsoft.",
} as const;

const devices = {
  owner: "record",
  lifetime: untilUsed(`${UNSEEN} after it was last seen`, "devices"),
  privacy,
} as const;

export const pushTables = [
  defineTable({
    ...devices,
    prefix: "device_tokens",
    otherIndexes: ["device_tokens_by_contact"],
    per: "phone",
  }),
  defineTable({
    ...devices,
    prefix: "push_subscriptions",
    otherIndexes: ["push_subscriptions_by_contact"],
    per: "browser",
  }),
  defineTable({
    prefix: "push_settings",
    key: ["record"],
    owner: { record: "record" },
    lifetime: WITH_RECORD,
    per: "record that has had devices",
    privacy,
  }),
  defineTable({
    prefix: "push_test_times",
    key: ["record"],
    owner: { record: "record" },
    lifetime: expires("1 hour"),
    per: "record that sends test notifications",
    privacy,
  }),
];
