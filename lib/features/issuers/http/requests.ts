/** Reads from requests the keys to revoke, and the issuer in the path of a console. */
import { readBearer } from "../../../platform/http/bearer.ts";
import { checkInput, isFormPost, isJsonPost, readInput } from "../../../platform/http/body.ts";
import { RequestError } from "../../../platform/http/errors.ts";
import type { Surface } from "../../../platform/surfaces/mod.ts";
import { type FoundKeys, foundKeysSchema, oneKeySchema } from "../found_keys.ts";
import type { Issuers } from "../issuers.ts";
import type { IssuerRow } from "../rows.ts";

/**
 * Reads the keys to revoke: the one in the `Authorization` header, that in the body, or those in the report of a
 * scanner.
 *
 * @throws {RequestError} 400 for no key, a mistyped one, or too many, and the errors of `readInput`
 */
export async function readFoundKeys(req: Request): Promise<FoundKeys> {
  const { token } = readBearer(req);
  const hasBody = isJsonPost(req) || isFormPost(req);
  const input = hasBody || token === null ? await readInput(req) : {};
  if (Array.isArray(input)) {
    const keys = checkInput(foundKeysSchema, input).map(({ token }) => token);
    return { keys, removeWebhooks: false };
  }
  // Clients send their own key in the header of every request, so that in the body comes first.
  const given = token === null ? input : { key: token, ...input as object };
  const { key, remove_webhooks } = checkInput(oneKeySchema, given);
  return { keys: [key], removeWebhooks: remove_webhooks };
}

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
