import { hydrate } from "preact";
import { useEffect } from "preact/hooks";
import type { RecordFeedProps } from "./RecordFeed.tsx";

/**
 * Makes the feed live that the server has rendered in the element before it. Its scripts load after those
 * that the page needs to be used, and the feed's elements stay as they are.
 */
export function LiveFeed({ place, feed }: { place: string; feed: RecordFeedProps }) {
  useEffect(() => {
    const element = document.getElementById(place)!;
    // The newest events are at the bottom.
    const scroller = element.querySelector(".scroller")!;
    scroller.scrollTop = scroller.scrollHeight;
    import("./RecordFeed.tsx")
      .then(({ RecordFeed }) => hydrate(<RecordFeed {...feed} />, element))
      .catch(() => {}); // without it, the page shows the newest events and links to older ones
  }, []);
  return null;
}
