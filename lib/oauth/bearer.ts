import { setImmediate } from "node:timers";
import type { Caller } from "../mcp/mod.ts";
import { touchGrant } from "./grants.ts";
import { findToken, isRecordOpen } from "./token_rows.ts";

/** The number of tokens whose records are remembered. */
const MAX_RECORDS = 1_000;

/** The rights of a token, and the endpoint where it is valid. */
interface Access extends Caller {
  resource: string;
}

/**
 * Creates the function that returns the caller of an access token at an endpoint; null unless the
 * token is valid there now.
 *
 * Nothing is cached, because the next request must be refused after any process has ended the grant.
 * But the requests with one token that arrive in the same turn of the event loop share a read of its
 * rows, which begins at the end of that turn. It therefore sees everything that was committed before
 * they arrived.
 */
export function createBearer(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): (token: string, resource: string) => Promise<Caller | null> {
  /** The reads that have not begun. */
  const planned = new Map<string, Promise<Access | null>>();
  /** The records of tokens, which never change, so that a record is read along with its token. */
  const records = new Map<string, string>();

  async function readAccess(text: string): Promise<Access | null> {
    const now = clock();
    const found = await findToken(kv, text, "access", now, records.get(text));
    if (found === null || !await isRecordOpen(kv, found)) {
      records.delete(text);
      return null;
    }
    const { token, grant } = found;
    await touchGrant(kv, grant, now);
    const { record, resource } = grant.value;
    if (record !== null) {
      if (records.size >= MAX_RECORDS) records.clear();
      records.set(text, record);
    }
    return { record, resource, scopes: token.value.scopes };
  }

  function plan(text: string): Promise<Access | null> {
    const { promise, resolve } = Promise.withResolvers<Access | null>();
    planned.set(text, promise);
    setImmediate(() => {
      planned.delete(text);
      resolve(readAccess(text));
    });
    return promise;
  }

  return async (token, resource) => {
    const access = await (planned.get(token) ?? plan(token));
    return access !== null && access.resource === resource ? access : null;
  };
}
