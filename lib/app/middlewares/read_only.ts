import type { Middleware } from "fresh";
import { ReadOnlyError } from "../../platform/kv/mod.ts";
import type { State } from "../state.ts";

const SAFE = ["GET", "HEAD", "OPTIONS"];

/** The paths whose POST requests only read. */
const READS = ["/mcp", "/check", "/k", "/console/records", "/console/search"];

/**
 * Refuses requests that could change something while the store is read-only. The store refuses their
 * writes anyway, but some write only after the response, which would then report a success that never happens.
 */
export function readOnly(): Middleware<State> {
  return (ctx) => {
    const { readOnly } = ctx.state.services.store;
    if (readOnly === null || SAFE.includes(ctx.req.method) || READS.includes(ctx.url.pathname)) {
      return ctx.next();
    }
    throw new ReadOnlyError(readOnly);
  };
}
