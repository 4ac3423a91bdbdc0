import { actAs, currentActor } from "../kv/mod.ts";

/** Knows the id of the request that the running code belongs to. */
export interface RequestScope {
  /** Runs a function outside any request, for work that outlives the request that started it. */
  outside<Result>(run: () => Result): Result;
  /** Returns the id for a request: that of a trusted proxy, or a new one. */
  idFor(request: Request): string;
  /** Returns the id of the current request; undefined outside any request. */
  id(): string | undefined;
}

/** The ids that a proxy may send: no spaces, quotes or line breaks, and not long. */
const GIVEN_ID = /^[\w.:-]{8,64}$/;

/**
 * Creates the scope of a site's requests.
 *
 * @param trustProxy the number of trusted proxies; with any, a valid `X-Request-Id` is the id
 */
export function createRequestScope({ trustProxy }: { trustProxy: number }): RequestScope {
  return {
    outside: (run) => actAs(undefined, run),
    idFor(request) {
      const given = trustProxy > 0 ? request.headers.get("x-request-id") : null;
      return given !== null && GIVEN_ID.test(given) ? given : crypto.randomUUID();
    },
    id: () => currentActor()?.requestId,
  };
}
