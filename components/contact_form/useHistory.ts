import { useRef, useState } from "preact/hooks";
import type { LinkedEvent } from "../../lib/chain/mod.ts";
import type { ChainClient } from "./chain_client.ts";

/** The events before those that the feed began with. */
export interface History {
  /** Page by page, the oldest first. */
  pages: LinkedEvent[][];
  state: "more" | "failed" | "complete";
  /** Asks for one page more, unless one is on its way or nothing is left. */
  pull: () => void;
}

/** @param first the `seq` of the oldest event that is there already */
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
