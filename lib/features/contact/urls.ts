import type { Surface, Surfaces } from "../../platform/surfaces/mod.ts";

/** The full URLs of the contact form's parts, which are never derived from a request. */
export interface ContactUrls {
  register: string;
  chain(hash: string): string;
  verify(hash: string): string;
  confirm(token: string): string;
  /** The page on which a holder signs in to a record. */
  myRecord: string;
}

/**
 * Returns the URLs to use on a surface: on the workbench its own, on others those of the API and
 * the trust surface.
 *
 * @returns null if this deployment does not serve both
 */
export function contactUrls(
  surface: Surface,
  { surfaces }: { surfaces: Surfaces },
): ContactUrls | null {
  const api = surfaces.baseFrom(surface, "api");
  const trust = surfaces.baseFrom(surface, "trust");
  if (api === null || trust === null) return null;
  return {
    register: `${api}/api/ir/register`,
    chain: (hash) => `${api}/api/chain/${hash}`,
    verify: (hash) => `${trust}/verify?hash=${hash}`,
    confirm: (token) => `${trust}/confirm?token=${token}`,
    myRecord: `${trust}/my-record`,
  };
}
