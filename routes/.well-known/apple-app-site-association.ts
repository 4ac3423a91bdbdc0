import { endpoint } from "../../lib/http/endpoint.ts";
import { appleDocument, published } from "../../lib/passkeys/mod.ts";
import { define, type State } from "../../lib/state.ts";

/** Lists the apps that may use the passkeys on Apple's systems. */
export const handler = define.handlers(endpoint<State>({
  GET: ({ state }) => published(appleDocument(state.services.config.passkeys)),
}));
