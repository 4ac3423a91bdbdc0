import { inDays } from "../../base/time.ts";
import { defineTable, WITH_ACCOUNT } from "../../platform/kv/mod.ts";
import {
  MAX_RECENTS,
  MAX_SAVED_QUALIFICATIONS,
  MAX_SAVED_SEARCHES,
  RECENT_LIFETIME_MS,
} from "./saved.ts";

export const qualificationTables = [
  defineTable({
    prefix: "user_data",
    owner: "user",
    lifetime: WITH_ACCOUNT,
    per: "account that saved something",
    privacy: {
      section: "sign_in",
      label: "What you save",
      text: `On the qualification site: up to ${MAX_SAVED_QUALIFICATIONS} qualifications and ` +
        `${MAX_SAVED_SEARCHES} searches that you save, with the time, until you remove them or ` +
        `the account is deleted; and the last ${MAX_RECENTS} qualifications that you opened ` +
        `while signed in, for ${inDays(RECENT_LIFETIME_MS)} or until you clear the list. You can ` +
        "download all of it from your account.",
    },
  }),
];
