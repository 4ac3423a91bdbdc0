/** The site as authenticators know it: passkeys belong to its id. */
export interface RelyingParty {
  /** The host of the surface. */
  id: string;
  name: string;
  /** The origins from which responses are accepted, compared exactly. */
  origins: string[];
}

/**
 * Returns the relying party of a surface. Its id and origin come from the configured base URL, never
 * from a request, so that a foreign page or host cannot use a passkey.
 *
 * @param otherOrigins further origins from which responses are accepted
 */
export function createRelyingParty(
  { baseUrl }: { baseUrl: string },
  name: string,
  otherOrigins: readonly string[] = [],
): RelyingParty {
  const { hostname: id, origin } = new URL(baseUrl);
  return { id, name, origins: [origin, ...otherOrigins] };
}
