import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LinkedEvent } from "../../lib/features/chain/mod.ts";
import { FEED_EVENT } from "../../lib/features/record_app/mod.ts";
import { createChainClient } from "../contact/chain_client.ts";
import { Feed } from "../contact/Feed.tsx";
import { rowLength } from "../contact/message.ts";
import {
  browserClock,
  preferredPace,
  runSequence,
  type SequenceMoment,
  type SequenceRun,
} from "../contact/run_sequence.ts";
import { beginWatching, type Plan, watchAgain } from "../contact/sequence.ts";
import { FULL_PACE, type Pace } from "../contact/typing.ts";

interface RecordFeedProps {
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
  const [moment, setMoment] = useState<SequenceMoment>(() => ({
    state: beginWatching(planOf(events, FULL_PACE), 0),
    now: 0,
  }));
  const [live, setLive] = useState(false);
  const run = useRef<SequenceRun>();
  const [chain, stop] = useMemo(() => {
    const controller = new AbortController();
    const client = createChainClient(chainUrl ?? "", { fetch, signal: controller.signal });
    return [client, () => controller.abort()] as const;
  }, [chainUrl]);
  const resume = () => run.current?.change(watchAgain);

  useEffect(() => {
    if (chainUrl === null) return;
    setLive(true);
    run.current = runSequence({
      plan: planOf(events, preferredPace()),
      start: beginWatching,
      clock: browserClock,
      source: chain,
      onChange: (state, now) => setMoment({ state, now }),
    });
    // Watch again when the user returns to the page.
    const unsubscribe = browserClock.onVisibility(() => {
      if (!browserClock.isHidden()) resume();
    });
    return () => {
      unsubscribe();
      run.current?.stop();
      stop();
    };
  }, []);

  const last = moment.state.rows.at(-1);
  useEffect(() => {
    if (live) dispatchEvent(new CustomEvent(FEED_EVENT, { detail: last }));
  }, [last?.hash]);

  return (
    <Feed
      key={moment.state.restarts}
      chain={chain}
      moment={moment}
      verifyUrl={verifyUrl}
      olderUrl={live ? undefined : olderUrl}
      onResume={live ? resume : undefined}
    />
  );
}

const planOf = (events: LinkedEvent[], pace: Pace): Plan => ({
  pace,
  lines: [],
  ending: 0,
  events,
  lengthOf: rowLength,
});
