import type { Middleware } from "fresh";
import { SECOND_MS } from "../../base/time.ts";
import { rulesOf } from "../../platform/kv/mod.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/** How long a request may wait for the store before its response, all calls together. */
const REQUEST_MS = 10 * SECOND_MS;

/**
 * Limits how long a request waits for the store until its response begins. After a call that was overdue, the
 * error page reads nothing more.
 */
export function storeTime({ kv }: Services): Middleware<State> {
  const { deadlines } = rulesOf(kv);
  return (ctx) => deadlines.within(REQUEST_MS, () => ctx.next());
}
