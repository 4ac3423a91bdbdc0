import type { LastUses } from "../../platform/http/last_use.ts";
import type { Grounds } from "../../platform/kv/mod.ts";
import type { Caller } from "../mcp/mod.ts";
import { noteGrantUse } from "./grants.ts";
import { findToken, isRecordOpen } from "./token_rows.ts";

/** The caller of a valid token, and the grant that the token belongs to. */
export interface Bearer extends Caller {
  grant: string;
  /** The rows of the token and its grant, and when the first of them expires. */
  grounds: Grounds;
}

/**
 * Returns the caller of an access token at an endpoint; null unless the token is valid there now. Its
 * rows are read each time, so that a grant that has ended is refused at once in every process.
 */
export async function readBearerToken(
  { kv, clock, uses }: { kv: Deno.Kv; clock: () => number; uses: LastUses },
  text: string,
  resource: string,
): Promise<Bearer | null> {
  const now = clock();
  const found = await findToken(kv, text, "access", now);
  if (found === null || !await isRecordOpen(kv, found)) return null;
  const { token, grant } = found;
  await noteGrantUse({ kv, uses }, grant, now);
  const { id, record } = grant.value;
  const until = Math.min(
    ...[token, grant].map(({ value: { expires_at } }) => Date.parse(expires_at)),
  );
  const rows = [token, grant].map(({ key, versionstamp }) => ({ key, versionstamp }));
  return grant.value.resource === resource
    ? { grant: id, record, scopes: token.value.scopes, grounds: { rows, until } }
    : null;
}
