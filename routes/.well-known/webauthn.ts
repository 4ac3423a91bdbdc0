import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { published, webauthnDocument } from "../../lib/features/passkeys/mod.ts";
import type { RouteProperties } from "../../lib/app/routes.ts";
import { define, type State } from "../../lib/app/state.ts";

export const properties: RouteProperties = { audience: "programs" };

/** Lists the other origins whose pages may use the passkeys (WebAuthn, related origins). */
export const handler = define.handlers(endpoint<State>({
  GET: ({ state }) => published(webauthnDocument(state.services.config.passkeys)),
}));
