import type { Caller } from "../mcp/mod.ts";
import { touchGrant } from "./grants.ts";
import { findToken, isRecordOpen } from "./token_rows.ts";

/** What a token allows, and where. */
interface Access extends Caller {
  resource: string;
}

/** The reads of one token: the current one, and the one that begins after it. */
interface Reads {
  running: Promise<Access | null>;
  next: Promise<Access | null> | null;
}

/**
 * Creates the function that returns the caller of an access token at an endpoint; null unless the
 * token is valid there now.
 *
 * Nothing is cached, because a grant that was ended in any process must be refused by the next
 * request. But requests with the same token that arrive while its rows are being read share one read,
 * which begins after that. It therefore sees everything that was committed before they arrived.
 */
export function createBearer(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): (token: string, resource: string) => Promise<Caller | null> {
  const reads = new Map<string, Reads>();

  async function readAccess(text: string): Promise<Access | null> {
    const now = clock();
    const found = await findToken(kv, text, "access", now);
    if (found === null) return null;
    const { token, grant } = found;
    if (!await isRecordOpen(kv, grant.value)) return null;
    await touchGrant(kv, grant, now);
    const { record, resource } = grant.value;
    return { record, resource, scopes: token.value.scopes };
  }

  function begin(text: string): Promise<Access | null> {
    const mine: Reads = { running: readAccess(text), next: null };
    reads.set(text, mine);
    const end = () => {
      if (mine.next === null) reads.delete(text);
    };
    mine.running.then(end, end);
    return mine.running;
  }

  function read(text: string): Promise<Access | null> {
    const current = reads.get(text);
    if (current === undefined) return begin(text);
    const again = () => begin(text);
    return current.next ??= current.running.then(again, again);
  }

  return async (token, resource) => {
    const access = await read(token);
    return access !== null && access.resource === resource ? access : null;
  };
}
