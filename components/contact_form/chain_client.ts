import type { LinkedEvent } from "../../lib/chain/mod.ts";
import { CONFIG } from "../../lib/contact/config.ts";
import { readEvents } from "./answers.ts";

/** Events of one chain, from its address (spec 4.6). */
export interface ChainClient {
  /** What is after a `seq`, oldest first. */
  after(seq: number): Promise<LinkedEvent[]>;
  /** What is before a `seq`, oldest first. */
  before(seq: number): Promise<LinkedEvent[]>;
}

/**
 * Asks a chain's address for pages. Both calls reject where the answer is none, or not what was
 * asked for.
 *
 * @param chainUrl `GET /api/chain/:hash`, in full
 */
export function createChainClient(
  chainUrl: string,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): ChainClient {
  const get = async (query: Record<string, number>): Promise<LinkedEvent[]> => {
    const url = new URL(chainUrl);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, `${value}`);
    const timeout = AbortSignal.timeout(CONFIG.REQUEST_TIMEOUT);
    const response = await fetch(url, {
      credentials: "omit",
      signal: AbortSignal.any([signal, timeout]),
    });
    const body = response.ok ? await response.json() : null;
    const events = readEvents(body?.events);
    if (events === null) throw new Error("The chain did not answer with events.");
    return events;
  };
  const limit = CONFIG.HISTORY_COUNT;
  return {
    async after(seq) {
      const events = await get({ after: seq, limit });
      if (events.length > 0 && events[0].seq !== seq + 1) throw new Error("There is a gap.");
      return events;
    },
    async before(seq) {
      const events = await get({ before: seq, limit });
      if (events.at(-1)?.seq !== seq - 1) throw new Error("There is a gap.");
      return events;
    },
  };
}
