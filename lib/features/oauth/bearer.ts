import type { Caller } from "../mcp/mod.ts";
import { createSharedReads } from "../../platform/kv/mod.ts";
import { touchGrant } from "./grants.ts";
import { findToken, isRecordOpen } from "./token_rows.ts";

/** The number of tokens that are remembered. */
const MAX_TOKENS = 1_000;

/** The caller of a valid token, and the grant that the token belongs to. */
export interface Bearer extends Caller {
  grant: string;
}

/** The rights of a token, and the endpoint where it is valid. */
interface Access extends Bearer {
  resource: string;
  /** When its rows have to be read again, in milliseconds since 1970. */
  until: number;
}

/**
 * Creates the function that returns the caller of an access token at an endpoint; null unless the
 * token is valid there now.
 *
 * The requests with one token share a read of its rows until this process writes anything, and at most
 * for a few milliseconds. So a grant that this process has ended is refused at once, and one that
 * another process has ended within less time than a request takes over the network.
 *
 * @param elapsed returns the monotonic time in milliseconds
 */
export function createBearer(
  { kv, clock, elapsed }: { kv: Deno.Kv; clock: () => number; elapsed?: () => number },
): (token: string, resource: string) => Bearer | null | Promise<Bearer | null> {
  /** The records of tokens, which never change, so that a record is read along with its token. */
  const records = new Map<string, string>();
  const reads = createSharedReads({
    kv,
    read: readAccess,
    isCurrent: (access) => access !== null && clock() < access.until,
    limit: MAX_TOKENS,
    elapsed,
  });

  async function readAccess(text: string): Promise<Access | null> {
    const now = clock();
    const found = await findToken(kv, text, "access", now, records.get(text));
    if (found === null || !await isRecordOpen(kv, found)) {
      records.delete(text);
      return null;
    }
    const { token, grant } = found;
    const nextUse = await touchGrant(kv, grant, now);
    const { id, record, resource } = grant.value;
    if (record !== null) {
      if (records.size >= MAX_TOKENS) records.clear();
      records.set(text, record);
    }
    const { scopes, expires_at } = token.value;
    const until = Math.min(nextUse, Date.parse(expires_at));
    return { grant: id, record, resource, scopes, until };
  }

  return (token, resource) => {
    const access = reads.getRecent(token);
    const here = (access: Access | null) => access?.resource === resource ? access : null;
    return access instanceof Promise ? access.then(here) : here(access);
  };
}
