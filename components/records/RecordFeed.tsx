/** The live list of chain events in “My record”. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { LinkedEvent } from "../../packages/proof/mod.ts";
import { FEED_EVENT } from "../../lib/features/push/app/mod.ts";
import { createChainClient } from "../contact/chain_client.ts";
import { Feed } from "../contact/Feed.tsx";
import { nameOf } from "../EventName.tsx";
import { rowLength } from "../contact/message.ts";
import { browserClock, createSequence, preferredPace } from "../contact/run_sequence.ts";
import { beginWatching, watchAgain } from "../contact/sequence.ts";

const lengthOf = (event: LinkedEvent) => rowLength(event, nameOf);

export interface RecordFeedProps {
  /** The newest events, newest last. */
  events: LinkedEvent[];
  /** The full URL of `GET /api/chain/:hash`; null if this deployment does not serve it. */
  chainUrl: string | null;
  verifyUrl: string;
  /** A page with older events, for browsers without scripts. */
  olderUrl: string;
}

/**
 * A record's chain of events, live: the same feed as after a registration. The server renders the
 * newest events, so the feed types only those that arrive later.
 */
export function RecordFeed({ events, chainUrl, verifyUrl, olderUrl }: RecordFeedProps) {
  const [live, setLive] = useState(false);
  const [feed, chain, stop] = useMemo(() => {
    const controller = new AbortController();
    const chain = createChainClient(chainUrl ?? "", { fetch, signal: controller.signal });
    // Only the feed of the sequence after an enquiry: no message is typed before it.
    const plan = { pace: preferredPace(), lines: [], ending: 0, events, lengthOf };
    const feed = createSequence({
      plan,
      start: beginWatching,
      clock: browserClock,
      source: chain,
    });
    return [feed, chain, () => controller.abort()] as const;
  }, [chainUrl]);
  const resume = () => feed.change(watchAgain);

  useEffect(() => {
    if (chainUrl === null) return;
    setLive(true);
    const stopFeed = feed.run();
    // Watch again when the user returns to the page.
    const unsubscribe = browserClock.onVisibility(() => {
      if (!browserClock.isHidden()) resume();
    });
    return () => {
      unsubscribe();
      stopFeed();
      stop();
    };
  }, []);

  const { rows, restarts } = feed.state.value;
  const last = rows.at(-1);
  useEffect(() => {
    if (live) dispatchEvent(new CustomEvent(FEED_EVENT, { detail: last }));
  }, [last?.hash]);

  return (
    <Feed
      key={restarts}
      chain={chain}
      sequence={feed}
      verifyUrl={verifyUrl}
      olderUrl={live ? undefined : olderUrl}
      nameOf={nameOf}
      onResume={live ? resume : undefined}
    />
  );
}
