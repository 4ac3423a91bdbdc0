import { endpoint } from "../../lib/http/endpoint.ts";
import { androidDocument, published } from "../../lib/passkeys/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** Lists the apps that may use the passkeys on Android. */
export const handler = define.handlers(endpoint<State>({
  GET: ({ state }) => published(androidDocument(state.services.config.passkeys)),
}));
