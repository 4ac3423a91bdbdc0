import { redirectToVersion } from "../../lib/contact/module.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { define, type State } from "../../lib/state.ts";

/** The stable URL of the contact module (spec 4.6). */
export const handler = define.handlers(endpoint<State>({
  GET: async ({ state }) => redirectToVersion(await state.services.contactModule()),
}));
