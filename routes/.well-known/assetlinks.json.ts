import { androidDocument, published } from "../../lib/features/passkeys/mod.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs" };

/** Lists the apps that may use the passkeys on Android. */
export const handler = route({
  GET: ({ state }) => published(androidDocument(state.services.config.passkeys)),
});
