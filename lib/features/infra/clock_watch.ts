import { SECOND_MS } from "../../base/time.ts";

/** How far the clock of a server is ahead of ours, by its last response. */
export interface ClockOffset {
  /** The service, as people call it. */
  source: string;
  /** Milliseconds; negative if it is behind. Exact to about half a second. */
  ms: number;
}

export interface ClockWatch {
  /** Returns a `fetch` that compares the `Date` of each response with our clock. */
  watch(source: string, fetch: typeof globalThis.fetch): typeof globalThis.fetch;
  /** The last offset of each source that has responded. */
  offsets(): ClockOffset[];
}

/** A response that took longer says little about the clock. */
const MOST_ELAPSED_MS = 3 * SECOND_MS;

/** Compares our clock with those of servers that the site talks to anyway. */
export function createClockWatch({ clock }: { clock: () => number }): ClockWatch {
  const offsets = new Map<string, number>();
  return {
    watch: (source, fetch) => async (...request) => {
      const begun = clock();
      const response = await fetch(...request);
      const ended = clock();
      const date = Date.parse(response.headers.get("date") ?? "");
      // A cache repeats the time of an earlier response.
      const isFresh = Number(response.headers.get("age") ?? 0) === 0;
      if (!Number.isNaN(date) && isFresh && ended - begun <= MOST_ELAPSED_MS) {
        // `Date` has whole seconds, so on average half a second has passed since.
        offsets.set(source, date + SECOND_MS / 2 - (begun + ended) / 2);
      }
      return response;
    },
    offsets: () => [...offsets].map(([source, ms]) => ({ source, ms })),
  };
}
