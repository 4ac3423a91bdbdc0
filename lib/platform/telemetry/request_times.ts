/** The upper bounds of the histogram, in seconds. */
export const BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** The requests of one surface, route and status class. */
export interface RequestTimesRow {
  surface: string;
  /** The pattern of the route; `none` for static files and paths without a route. */
  route: string;
  /** Such as `2xx`. */
  status: string;
  /** The number of requests up to each bound, without the ones before; the last has no bound. */
  buckets: number[];
  seconds: number;
}

/** Counts requests and how long they take until their headers are sent. */
export interface RequestTimes {
  /** @param route the pattern of the route, never the requested path */
  observe(surface: string, route: string | null, status: number, seconds: number): void;
  rows(): RequestTimesRow[];
}

export function createRequestTimes(): RequestTimes {
  const surfaces = new Map<string, Map<string | null, (RequestTimesRow | undefined)[]>>();
  return {
    observe(surface, route, status, seconds) {
      let routes = surfaces.get(surface);
      if (routes === undefined) surfaces.set(surface, routes = new Map());
      let classes = routes.get(route);
      if (classes === undefined) routes.set(route, classes = []);
      const first = Math.floor(status / 100);
      const row = classes[first] ??= {
        surface,
        route: route ?? "none",
        status: `${first}xx`,
        buckets: new Array(BOUNDS.length + 1).fill(0),
        seconds: 0,
      };
      let bucket = 0;
      while (seconds > BOUNDS[bucket]) bucket++;
      row.buckets[bucket]++;
      row.seconds += seconds;
    },
    rows: () =>
      [...surfaces.values()].flatMap((routes) =>
        [...routes.values()].flatMap((classes) => classes.filter((row) => row !== undefined))
      ),
  };
}
