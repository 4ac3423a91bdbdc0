/** The permissions of each scope, as the consent page describes them. */
export const SCOPE_TEXTS = {
  mcp:
    "Use the tools of this server. They are open to everyone; apps that are connected to a record may " +
    "call them more often.",
  record:
    "Read your record: its chain of events, its level, and the hashes of its documents, but not your " +
    "contact data or the documents themselves.",
  notifications:
    "Register phones for the notifications of your record, and remove them again. A notification says " +
    "what happened, such as “Your record was just verified”, and nothing about you.",
  offline_access: "Stay connected until you disconnect it.",
} as const;

/** The permissions of each scope in a few words, for lists. */
export const SCOPE_NAMES: Record<Scope, string> = {
  mcp: "Uses the tools",
  record: "Reads your record without your contact data",
  notifications: "Gets notifications on phones",
  offline_access: "Stays connected",
};

export type Scope = keyof typeof SCOPE_TEXTS;

export const SCOPES = Object.keys(SCOPE_TEXTS) as Scope[];

/** The use of a token: the MCP endpoint, or registering phones for notifications. */
type Purpose = "mcp" | "notifications";

/** The scopes of each resource itself. `offline_access` concerns only the authorization server. */
export const RESOURCE_SCOPES: Readonly<Record<Purpose, readonly Scope[]>> = {
  mcp: ["mcp", "record"],
  notifications: ["notifications"],
};

/** Returns the purpose of a request, grant or token. Scopes of two resources are never granted together. */
export const purposeOf = ({ scopes }: { scopes: readonly Scope[] }): Purpose =>
  scopes.includes("notifications") ? "notifications" : "mcp";

/**
 * Parses the `scope` parameter (RFC 6749, section 3.3). Scopes of the other resource are left out, because
 * clients send all that the server's metadata names. `mcp` is always granted for the MCP endpoint, because it
 * allows only what everyone may do. For notifications, `notifications` is the default.
 *
 * @returns null if a scope is unknown, or none concerns the resource
 */
export function parseScopes(text: string, purpose: Purpose): Scope[] | null {
  const names = text.split(" ").filter((name) => name !== "");
  if (purpose === "mcp") names.push("mcp");
  else if (names.length === 0) names.push("notifications");
  const own = RESOURCE_SCOPES[purpose];
  if (!names.every((name) => Object.hasOwn(SCOPE_TEXTS, name))) return null;
  if (!own.some((scope) => names.includes(scope))) return null;
  return SCOPES.filter((scope) =>
    names.includes(scope) && (own.includes(scope) || scope === "offline_access")
  );
}
