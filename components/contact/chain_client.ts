import { useRef, useState } from "preact/hooks";
import type { LinkedEvent } from "../../lib/chain/mod.ts";
import { CONFIG } from "../../lib/contact/config.ts";
import { readEvents } from "./responses.ts";

/** Reads one chain from `GET /api/chain/:hash` (spec 4.6). */
export interface ChainClient {
  /** Returns the events after a `seq`, oldest first. */
  after(seq: number): Promise<LinkedEvent[]>;
  /** Returns the events before a `seq`, oldest first. */
  before(seq: number): Promise<LinkedEvent[]>;
}

/**
 * Creates a client for a chain. Both methods reject if the response is invalid or has a gap.
 *
 * @param chainUrl the full URL of `GET /api/chain/:hash`
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
    if (events === null) throw new Error("The response contains no events.");
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

/** The events before the feed's first ones. */
export interface History {
  pages: LinkedEvent[][];
  state: "more" | "failed" | "complete";
  /** Loads one more page, unless one is being loaded or there are no more. */
  pull: () => void;
}

/** @param first the `seq` of the oldest event in the feed */
export function useHistory(chain: ChainClient, first: number): History {
  const [pages, setPages] = useState<LinkedEvent[][]>([]);
  const [failed, setFailed] = useState(false);
  const busy = useRef(false);
  const oldest = pages[0]?.[0].seq ?? first;

  const pull = async () => {
    if (busy.current || oldest === 0) return;
    busy.current = true;
    try {
      const page = await chain.before(oldest);
      setPages((pages) => [page, ...pages]);
      setFailed(false);
    } catch {
      setFailed(true);
    }
    busy.current = false;
  };
  return { pages, state: oldest === 0 ? "complete" : failed ? "failed" : "more", pull };
}
