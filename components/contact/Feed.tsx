/** The live list of a chain's events, with typed new events and older ones on demand. */
import type { ComponentChildren } from "preact";
import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { LinkedEvent } from "../../packages/proof/mod.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { type ChainClient, useHistory } from "./chain_client.ts";
import { type NameOf, rowLength, rowOf } from "./message.ts";
import type { LiveSequence } from "./run_sequence.ts";
import { isClosable, isWatching } from "./sequence.ts";

const { COPY } = CONFIG;

interface FeedProps {
  chain: ChainClient;
  sequence: LiveSequence;
  verifyUrl: string;
  /** A page with older events. With it, the feed has no scripts yet: the page is a link. */
  olderUrl?: string;
  /** Watches for new events again. */
  onResume?: () => void;
  nameOf?: NameOf;
}

/**
 * The chain's events, with the newest at the bottom (spec 4.6). New events are typed; scrolling up
 * loads older ones, which appear at once. The contact module and the record page show it.
 */
export function Feed({ chain, sequence, verifyUrl, olderUrl, onResume, nameOf }: FeedProps) {
  const state = sequence.state.value;
  const { rows, typed } = state;
  const history = useHistory(chain, rows[0]);
  const shown = rows.slice(0, typed + 1);
  const [isWhole, setWhole] = useState(false);
  const { scroller, events } = useScroller({
    older: history.pages.length,
    rows: shown.length,
    onNearTop: history.pull,
    onPastTop: () => history.state === "complete" ? setWhole(true) : history.pull(),
  });
  return (
    <section class="feed" aria-labelledby="feed-title">
      <h2 id="feed-title">
        {COPY.FEED_TITLE} <span>{COPY.FEED_ZONE}</span>
      </h2>
      {state.restarts > 0 && <p class="rewritten" role="alert">{COPY.REWRITTEN}</p>}
      <div
        ref={scroller}
        class="scroller"
        tabindex={0}
        role="region"
        aria-label={COPY.FEED_TITLE}
        {...events}
      >
        <div class="strip">
          {history.state === "complete"
            ? <span role="status">{isWhole ? COPY.WHOLE_HISTORY : COPY.BEGINNING}</span>
            : history.state === "failed"
            ? (
              <span role="alert">
                {COPY.EARLIER_FAILED}{" "}
                <button type="button" class="link" onClick={history.pull}>{COPY.RETRY}</button>
              </span>
            )
            : olderUrl === undefined
            ? <>↑ {COPY.EARLIER}</>
            : <a class="link" href={olderUrl}>{COPY.EARLIER}</a>}
        </div>
        {history.pages.map((page) => (
          <HistoryPage
            key={page[0].seq}
            events={page}
            nameOf={nameOf}
          />
        ))}
        <div role="log" aria-label={COPY.FEED_TITLE}>
          <ol>
            {shown.map((event, i) => (
              <Row
                key={event.seq}
                event={event}
                chars={i === typed ? sequence.chars : null}
                nameOf={nameOf}
              />
            ))}
          </ol>
        </div>
      </div>
      <p class="hint">{isClosable(state) && olderUrl === undefined && <>↑ {COPY.HINT}</>}</p>
      <p class={isWatching(state) && olderUrl === undefined ? "watch live" : "watch"}>
        {isClosable(state) && (
          <>
            {olderUrl === undefined && (
              <span>{isWatching(state) ? COPY.WATCHING : COPY.WATCHED}</span>
            )}
            {onResume && !isWatching(state) && (
              <button type="button" class="link" onClick={onResume}>{COPY.WATCH_AGAIN}</button>
            )}
            <a href={verifyUrl} target="_blank" rel="noopener">{COPY.VERIFY}</a>
          </>
        )}
      </p>
    </section>
  );
}

/**
 * A page of older events. It is rendered once, and the browser skips full pages that are out of
 * view.
 */
function HistoryPage({ events, nameOf }: { events: LinkedEvent[]; nameOf?: NameOf }) {
  return useMemo(
    () => (
      <ol class={events.length === CONFIG.HISTORY_COUNT ? "older full-page" : "older"}>
        {events.map((event) => <StillRow key={event.seq} event={event} nameOf={nameOf} />)}
      </ol>
    ),
    [events],
  );
}

function StillRow({ event, nameOf }: { event: LinkedEvent; nameOf?: NameOf }) {
  const [time, name, kind, mark] = rowOf(event, nameOf);
  return (
    <li class="row" data-seq={event.seq}>
      <time dateTime={event.at}>{time}</time>
      <Kind name={name} kind={kind} />
      <span class="mark">{mark}</span>
    </li>
  );
}

/** @param props.chars how many characters are typed; null once the row is complete */
function Row({ event, chars, nameOf }: {
  event: LinkedEvent;
  chars: ReadonlySignal<number> | null;
  nameOf?: NameOf;
}) {
  const busy = chars !== null;
  const count = chars?.value ?? rowLength(event, nameOf);
  const cells = rowOf(event, nameOf);
  const [time, name, kind, mark] = cells.map((text, i) => {
    const before = cells.slice(0, i).join("").length;
    const own = Math.min(Math.max(0, count - before), text.length);
    const here = busy && count >= before && (own < text.length || i === cells.length - 1);
    return <Typed key={i} text={text} count={own} busy={here} />;
  });
  return (
    <li class="row" data-seq={event.seq}>
      <span class="away">{cells.filter(Boolean).join(" ")}</span>
      <span class="time" aria-hidden="true">{time}</span>
      <Kind name={cells[1] && name} kind={kind} aria-hidden="true" />
      <span class="mark" aria-hidden="true">{mark}</span>
    </li>
  );
}

/** A kind, after its plain name in the record's own feed. */
const Kind = ({ name, kind, ...others }: {
  name: ComponentChildren;
  kind: ComponentChildren;
  "aria-hidden"?: "true";
}) => (
  <span class="kind" {...others}>
    {name
      ? (
        <>
          {name} <small>{kind}</small>
        </>
      )
      : kind}
  </span>
);

/** A partly typed text. The rest is invisible but takes up its space, so that words do not move. */
export function Typed({ text, count, busy }: { text: string; count: number; busy: boolean }) {
  if (!busy && count >= text.length) return <>{text}</>;
  return (
    <>
      {text.slice(0, count)}
      {busy && <span class="cursor" />}
      <span class="untyped">{text.slice(count)}</span>
    </>
  );
}

/** Older events are loaded at this distance from the top, in pixels. */
const NEAR_TOP = 600;
/** New events scroll into view within this distance from the bottom, in pixels. */
export const NEAR_BOTTOM = 24;

/**
 * Keeps the scroll position of a growing list: rows in view do not move when older ones are added
 * above, and new rows scroll into view if the list was scrolled to the end.
 */
function useScroller(
  { older, rows, onNearTop, onPastTop }: {
    older: number;
    rows: number;
    onNearTop: () => void;
    /** Called when somebody scrolls up at the top, even if the list is too short to scroll. */
    onPastTop: () => void;
  },
) {
  const scroller = useRef<HTMLDivElement>(null);
  const last = useRef({ top: 0, atBottom: true });
  const anchor = useRef<{ list: HTMLElement; top: number }>();
  const toBottom = () => {
    const view = scroller.current!;
    const { top, atBottom } = last.current;
    // The user may have scrolled up so recently that there was no scroll event yet.
    if (!atBottom || view.scrollTop <= top - 1) return;
    view.scrollTop = view.scrollHeight;
    last.current.top = view.scrollTop;
  };

  useLayoutEffect(() => {
    const view = scroller.current!;
    const moved = anchor.current && anchor.current.list.offsetTop - anchor.current.top;
    if (moved) {
      view.scrollTop += moved;
      last.current.top += moved;
    } else toBottom();
    const list = view.querySelector("ol")!;
    anchor.current = { list, top: list.offsetTop };
  }, [older, rows]);

  // Rows have another height on narrow screens.
  useEffect(() => {
    addEventListener("resize", toBottom);
    return () => removeEventListener("resize", toBottom);
  }, []);

  const onScroll = () => {
    const view = scroller.current!;
    const { scrollTop, scrollHeight, clientHeight } = view;
    const up = scrollTop < last.current.top;
    last.current.top = scrollTop;
    last.current.atBottom = scrollHeight - clientHeight - scrollTop < NEAR_BOTTOM;
    if (up && scrollTop < NEAR_TOP) onNearTop();
  };
  const touchY = useRef(0);
  const onUp = () => {
    if (scroller.current!.scrollTop <= 0) onPastTop();
  };
  const events = {
    onScroll,
    onWheel: ({ deltaY }: WheelEvent) => deltaY < 0 && onUp(),
    onKeyDown: ({ key }: KeyboardEvent) => /^(ArrowUp|PageUp|Home)$/.test(key) && onUp(),
    onTouchStart: ({ touches: [{ clientY }] }: TouchEvent) => void (touchY.current = clientY),
    onTouchMove: ({ touches: [{ clientY }] }: TouchEvent) => clientY > touchY.current && onUp(),
  };
  return { scroller, events };
}
