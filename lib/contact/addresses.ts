import type { Services } from "../services.ts";
import type { Surface } from "../surfaces/mod.ts";

/** Where the parts of the contact form are, in full; never taken from a request. */
export interface Addresses {
  register: string;
  chain(hash: string): string;
  verify(hash: string): string;
  confirm(token: string): string;
}

/**
 * The addresses that somebody on a surface is given: those of the API and the trust surface, on the
 * workbench its own.
 *
 * @returns null where either surface is not served
 */
export function addressesOn(
  surface: Surface,
  { surfaces }: Pick<Services, "surfaces">,
): Addresses | null {
  const api = surfaces.baseFrom(surface, "api");
  const trust = surfaces.baseFrom(surface, "trust");
  if (api === null || trust === null) return null;
  return {
    register: `${api}/api/ir/register`,
    chain: (hash) => `${api}/api/chain/${hash}`,
    verify: (hash) => `${trust}/verify?hash=${hash}`,
    confirm: (token) => `${trust}/confirm?token=${token}`,
  };
}
