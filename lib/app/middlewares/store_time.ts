import type { Middleware } from "fresh";
import { rulesOf } from "../../platform/kv/mod.ts";
import type { Services } from "../services.ts";
import type { State } from "../state.ts";

/**
 * Limits how long a request waits for the store until its response begins. After a call that was overdue, the
 * error page reads nothing more.
 */
export function storeTime({ kv }: Services): Middleware<State> {
  const { deadlines } = rulesOf(kv);
  return (ctx) => deadlines.within(deadlines.requestMs, () => ctx.next());
}
