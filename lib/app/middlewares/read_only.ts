import type { Middleware } from "fresh";
import { ReadOnlyError } from "../../platform/kv/mod.ts";
import type { Routes } from "../routes.ts";
import type { State } from "../state.ts";

const SAFE = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses requests that could change something while the store is read-only. The store refuses their
 * writes anyway, but some write only after the response, which would then report a success that never happens.
 */
export function readOnly(routes: Routes): Middleware<State> {
  return (ctx) => {
    const { readOnly } = ctx.state.services.store;
    if (readOnly === null || SAFE.includes(ctx.req.method) || routes.of(ctx).onlyReads) {
      return ctx.next();
    }
    throw new ReadOnlyError(readOnly);
  };
}
