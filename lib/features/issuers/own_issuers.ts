import type { IssuerRow } from "./rows.ts";
import type { Issuers } from "./issuers.ts";
import { RequestError } from "../../platform/http/errors.ts";
import type { Surface } from "../../platform/surfaces/mod.ts";

/** Returns the path of the console's page of an issuer, which lists its documents. */
export const issuerPath = (id: string): string => `/console/issuers/${id}`;

/**
 * Reads an issuer of the console's organisation.
 *
 * @throws {RequestError} 404 if it does not exist or belongs to the other organisation
 */
export async function readOwnIssuer(
  { surface, services }: { surface: Surface; services: { issuers: Issuers } },
  id: string,
): Promise<IssuerRow> {
  const issuer = await services.issuers.read(surface.organisation, checkIssuerId(id));
  if (issuer === null) throw new RequestError(404);
  return issuer;
}

/**
 * Returns the id in a path, so that what belongs to an issuer can be read at the same time as the issuer.
 *
 * @throws {RequestError} 404 if it cannot be one
 */
export function checkIssuerId(given: string): string {
  if (!/^[\w-]{1,36}$/.test(given)) throw new RequestError(404);
  return given;
}
