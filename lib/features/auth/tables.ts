import { clientLinks, mailboxLinks } from "./link_limits.ts";
import { lastTokenId, magicTokens } from "./magic_tokens.ts";
import { sessions } from "./sessions.ts";
import { sessionUses } from "./session_uses.ts";
import { linkRequests } from "./stored_requests.ts";
import { usedLinks } from "./used_links.ts";
import { lastUserId, userDeletions, users } from "./users.ts";

export const authTables = [
  users,
  userDeletions,
  lastUserId,
  linkRequests,
  magicTokens,
  lastTokenId,
  sessions,
  sessionUses,
  usedLinks,
  clientLinks,
  mailboxLinks,
];
