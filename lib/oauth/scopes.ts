import { z } from "zod";

/** What a token allows, as people read it on the consent page. */
export const SCOPE_TEXTS = {
  mcp:
    "Use the tools of this server. They are open to everyone; apps that are connected to a record may " +
    "call them more often.",
  record: "Read your record: its chain of events, its level, and the hashes of its documents.",
  offline_access: "Stay connected until you disconnect it.",
} as const;

/** The same in a few words, for lists. */
export const SCOPE_NAMES: Record<Scope, string> = {
  mcp: "Uses the tools",
  record: "Reads your record",
  offline_access: "Stays connected",
};

export type Scope = keyof typeof SCOPE_TEXTS;

export const SCOPES = Object.keys(SCOPE_TEXTS) as Scope[];

/** The scopes of the resource itself. `offline_access` concerns only the authorization server. */
export const RESOURCE_SCOPES: readonly Scope[] = ["mcp", "record"];

/**
 * Parses the `scope` parameter (RFC 6749, section 3.3). Unknown scopes are left out, as clients send
 * those of other servers. `mcp` is always included, because it allows only what everyone may do.
 */
export const scopeSchema = z.string().max(500).transform((text): Scope[] => {
  const names = ["mcp", ...text.split(" ")];
  return SCOPES.filter((scope) => names.includes(scope));
});
