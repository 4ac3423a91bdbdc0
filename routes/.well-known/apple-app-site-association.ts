import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { appleDocument, published } from "../../lib/features/passkeys/mod.ts";
import type { RouteProperties } from "../../lib/app/routes.ts";
import { define, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs" };

/** Lists the apps that may use the passkeys on Apple's systems. */
export const handler = define.handlers(endpoint<State>({
  GET: ({ state }) => published(appleDocument(state.services.config.passkeys)),
}));
