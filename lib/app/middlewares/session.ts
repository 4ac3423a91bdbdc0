/** The middleware that reads who is signed in, and the layer and passkeys of operators. */
import type { Context, Middleware } from "fresh";
import { NO_GATE } from "../../features/passkeys/mod.ts";
import { hasConsole } from "../../features/operators/mod.ts";
import { clientOf } from "../../platform/http/client_address.ts";
import { deviceOf } from "../../platform/http/device.ts";
import type { State } from "../state.ts";

/**
 * Sets the session and the layer of `ctx.state` on surfaces where people sign in, and makes their
 * responses `no-store` unless they set `Cache-Control` themselves or are shared, because any of them
 * may depend on the session. On other surfaces nothing is read from the store.
 */
export const session: Middleware<State> = async (ctx) => {
  ctx.state.readSession = async () => void Object.assign(ctx.state, await readSession(ctx));
  ctx.state.actor.knows(ctx.state.readSession);
  await ctx.state.readSession();
  const response = await ctx.next();
  const { shared } = ctx.state;
  if (!shared && !response.headers.has("cache-control")) {
    response.headers.set("cache-control", "no-store");
  }
  return response;
};

/** Returns who sent a request, and on a console the person's layer and passkeys. */
export async function readSession(
  ctx: Pick<Context<State>, "req" | "info" | "state">,
): Promise<Pick<State, "session" | "layer" | "layerRow" | "gate">> {
  const { services: { auth, operators, operatorPasskeys }, surface } = ctx.state;
  if (!hasConsole(surface)) {
    const session = await auth.getSession(ctx.req, surface.name);
    return { session, layer: null, layerRow: null, gate: NO_GATE };
  }
  const device = deviceOf(ctx.req, clientOf(ctx));
  const session = await auth.getSession(ctx.req, surface.name, device);
  if (session === null) return { session, layer: null, layerRow: null, gate: NO_GATE };
  const [{ layer, row: layerRow }, account] = await Promise.all([
    operators.layerOfSession(session, surface.organisation),
    operatorPasskeys.account(session, surface),
  ]);
  return { session, layer, layerRow, gate: operatorPasskeys.gate(session, account) };
}
