import { useMemo } from "preact/hooks";
import type { LinkedEvent } from "../../lib/chain/mod.ts";
import { CONFIG } from "../../lib/contact/config.ts";
import type { ChainClient } from "./chain_client.ts";
import { isClosable, isWatching } from "./sequence.ts";
import { Typed } from "./Typed.tsx";
import { progress } from "./typing.ts";
import type { SequenceMoment } from "./useSequence.ts";
import { useHistory } from "./useHistory.ts";
import { useScroller } from "./useScroller.ts";
import { rowLength, rowOf } from "./words.ts";

const { COPY } = CONFIG;

/**
 * The chain's events, the newest at the bottom (spec 4.6). New ones are typed in; scrolling up pulls
 * older ones, which are there at once, until the oldest.
 */
export function Feed(
  { chain, moment, verifyUrl }: { chain: ChainClient; moment: SequenceMoment; verifyUrl: string },
) {
  const { state, now } = moment;
  const { rows, typed, rowSince, plan } = state;
  const history = useHistory(chain, rows[0].seq);
  const shown = rows.slice(0, typed + 1);
  const { scroller, onScroll } = useScroller({
    older: history.pages.length,
    rows: shown.length,
    onNearTop: history.pull,
  });
  const { line, chars } = progress(
    rows.slice(typed, typed + 1).map(plan.lengthOf),
    now - rowSince,
    plan.pace,
  );
  return (
    <section class="feed" aria-labelledby="feed-title">
      <h2 id="feed-title">
        {COPY.FEED_TITLE} <span>{COPY.FEED_ZONE}</span>
      </h2>
      <div
        ref={scroller}
        class="scroller"
        tabindex={0}
        role="region"
        aria-label={COPY.FEED_TITLE}
        onScroll={onScroll}
      >
        <div class="strip">
          {history.state === "complete"
            ? COPY.BEGINNING
            : history.state === "failed"
            ? (
              <span role="alert">
                {COPY.EARLIER_FAILED}{" "}
                <button type="button" class="link" onClick={history.pull}>{COPY.RETRY}</button>
              </span>
            )
            : <>↑ {COPY.EARLIER}</>}
        </div>
        {history.pages.map((page) => <HistoryPage key={page[0].seq} events={page} />)}
        <div role="log" aria-label={COPY.FEED_TITLE}>
          <ol>
            {shown.map((event, i) => (
              <Row
                key={event.seq}
                event={event}
                count={i < typed || line > 0 ? rowLength(event) : chars}
                busy={i === typed && line === 0}
              />
            ))}
          </ol>
        </div>
      </div>
      <p class="hint">{isClosable(state) && <>↑ {COPY.HINT}</>}</p>
      <p class={isWatching(state) ? "watch live" : "watch"}>
        {isClosable(state) && (
          <>
            <span>{isWatching(state) ? COPY.WATCHING : COPY.WATCHED}</span>
            <a href={verifyUrl} target="_blank" rel="noopener">{COPY.VERIFY}</a>
          </>
        )}
      </p>
    </section>
  );
}

/** A page of older events: never drawn again, and of full pages only what is in view. */
function HistoryPage({ events }: { events: LinkedEvent[] }) {
  return useMemo(
    () => (
      <ol class={events.length === CONFIG.HISTORY_COUNT ? "older full-page" : "older"}>
        {events.map((event) => <StillRow key={event.seq} event={event} />)}
      </ol>
    ),
    [events],
  );
}

function StillRow({ event }: { event: LinkedEvent }) {
  const [time, kind, mark] = rowOf(event);
  return (
    <li class="row" data-seq={event.seq}>
      <time dateTime={event.at}>{time}</time>
      <span class="kind">{kind}</span>
      <span class="mark">{mark}</span>
    </li>
  );
}

function Row({ event, count, busy }: { event: LinkedEvent; count: number; busy: boolean }) {
  const cells = rowOf(event);
  const [time, kind, mark] = cells.map((text, i) => {
    const before = cells.slice(0, i).join("").length;
    const own = Math.min(Math.max(0, count - before), text.length);
    const here = busy && count >= before && (own < text.length || i === cells.length - 1);
    return <Typed key={i} text={text} count={own} busy={here} />;
  });
  return (
    <li class="row" data-seq={event.seq}>
      <span class="away">{cells.join(" ")}</span>
      <span class="time" aria-hidden="true">{time}</span>
      <span class="kind" aria-hidden="true">{kind}</span>
      <span class="mark" aria-hidden="true">{mark}</span>
    </li>
  );
}
