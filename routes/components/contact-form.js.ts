import { leadToVersion } from "../../lib/contact/module.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { define, type State } from "../../lib/state.ts";

/** The contact module's stable address (spec 4.6). */
export const handler = define.handlers(endpoint<State>({
  GET: async ({ state }) => leadToVersion(await state.services.contactModule()),
}));
