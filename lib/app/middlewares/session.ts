import type { Context, Middleware } from "fresh";
import type { SessionOwner } from "../../features/auth/mod.ts";
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
  const { services: { auth, operatorPasskeys }, surface } = ctx.state;
  if (!hasConsole(surface)) {
    const session = await auth.getSession(ctx.req, surface.name);
    return { session, layer: null, layerRow: null, gate: NO_GATE };
  }
  const device = deviceOf(ctx.req, clientOf(ctx));
  const before = auth.ownerBefore(ctx.req);
  const [session, readBefore] = await Promise.all([
    auth.getSession(ctx.req, surface.name, device),
    before && readOperator(ctx.state, before),
  ]);
  if (session === null) return { session, layer: null, layerRow: null, gate: NO_GATE };
  const { layer, row: layerRow, account } = readBefore ??
    await readOperator(ctx.state, session);
  return { session, layer, layerRow, gate: operatorPasskeys.gate(session, account) };
}

async function readOperator({ services, surface }: State, owner: SessionOwner) {
  // Called together, so that they take one round trip.
  const [{ layer, row }, account] = await Promise.all([
    services.operators.layerOfSession(owner, surface.organisation),
    services.operatorPasskeys.account(owner, surface),
  ]);
  return { layer, row, account };
}
