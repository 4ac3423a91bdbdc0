import { inHours } from "../../base/time.ts";
import { defineTable, expires, windowLog } from "../../platform/kv/mod.ts";
import { LINK_WINDOW_MS } from "./link_terms.ts";
import { lastTokenId, magicTokens } from "./magic_tokens.ts";
import { sessions } from "./sessions.ts";
import { sessionUses } from "./session_uses.ts";
import { linkRequests } from "./stored_requests.ts";
import { lastUserId, userDeletions, users } from "./users.ts";

const COUNTED = inHours(LINK_WINDOW_MS);

export const authTables = [
  users,
  userDeletions,
  lastUserId,
  linkRequests,
  magicTokens,
  lastTokenId,
  sessions,
  sessionUses,
  defineTable({
    prefix: "sign_in_limits",
    value: windowLog,
    owner: "nobody",
    lifetime: expires(COUNTED),
    per: "address or network that asks for sign-in links",
    privacy: [{
      section: "sign_in",
      label: "Limits",
      text: "The number of links requested, with a keyed fingerprint of the email address and a " +
        `fingerprint of the network address, for ${COUNTED}.`,
    }, { section: "record", label: "Limits" }],
  }),
];
