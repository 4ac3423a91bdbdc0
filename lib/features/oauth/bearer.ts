import type { Caller } from "../mcp/mod.ts";
import { touchGrant } from "./grants.ts";
import { findToken, isRecordOpen } from "./token_rows.ts";

/** The caller of a valid token, and the grant that the token belongs to. */
export interface Bearer extends Caller {
  grant: string;
}

/**
 * Returns the caller of an access token at an endpoint; null unless the token is valid there now. Its
 * rows are read each time, so that a grant that has ended is refused at once in every process.
 */
export async function readBearerToken(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  text: string,
  resource: string,
): Promise<Bearer | null> {
  const now = clock();
  const found = await findToken(kv, text, "access", now);
  if (found === null || !await isRecordOpen(kv, found)) return null;
  const { token, grant } = found;
  await touchGrant(kv, grant, now);
  const { id, record } = grant.value;
  return grant.value.resource === resource
    ? { grant: id, record, scopes: token.value.scopes }
    : null;
}
