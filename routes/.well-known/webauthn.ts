import { published, webauthnDocument } from "../../lib/features/passkeys/mod.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs" };

/** Lists the other origins whose pages may use the passkeys (WebAuthn, related origins). */
export const handler = route({
  GET: ({ state }) => published(webauthnDocument(state.services.config.passkeys)),
});
