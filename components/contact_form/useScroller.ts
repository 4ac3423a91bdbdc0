import { useLayoutEffect, useRef } from "preact/hooks";

/** How near to the top, in pixels, older events are asked for, so that they are there in time. */
const NEAR = 600;
/** How near to the bottom somebody is who wants to see what is new. */
export const AT_BOTTOM = 24;

/**
 * Keeps a list in its place while it grows: at the top, what one looks at does not move; at the
 * bottom, new rows come into view for who is there.
 */
export function useScroller(
  { older, rows, onNearTop }: { older: number; rows: number; onNearTop: () => void },
) {
  const scroller = useRef<HTMLDivElement>(null);
  const last = useRef({ top: 0, atBottom: true });
  const anchor = useRef<{ list: HTMLElement; top: number }>();

  useLayoutEffect(() => {
    const view = scroller.current!;
    const moved = anchor.current && anchor.current.list.offsetTop - anchor.current.top;
    if (moved) view.scrollTop += moved;
    else if (last.current.atBottom) view.scrollTop = view.scrollHeight;
    const list = view.querySelector("ol")!;
    anchor.current = { list, top: list.offsetTop };
    last.current.top = view.scrollTop;
  }, [older, rows]);

  const onScroll = () => {
    const view = scroller.current!;
    const { scrollTop, scrollHeight, clientHeight } = view;
    const up = scrollTop < last.current.top;
    last.current.top = scrollTop;
    last.current.atBottom = scrollHeight - clientHeight - scrollTop < AT_BOTTOM;
    if (up && scrollTop < NEAR) onNearTop();
  };
  return { scroller, onScroll };
}
