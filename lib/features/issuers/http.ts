import { readBearer } from "../../platform/http/bearer.ts";
import { checkInput, isFormPost, isJsonPost, readInput } from "../../platform/http/body.ts";
import { type FoundKeys, foundKeysSchema, oneKeySchema } from "./found_keys.ts";

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
