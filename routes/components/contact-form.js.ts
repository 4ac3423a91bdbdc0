import { redirectToVersion } from "../../lib/features/contact/module.ts";
import { endpoint } from "../../lib/platform/http/endpoint.ts";
import { define, type State } from "../../lib/app/state.ts";

/** The stable URL of the contact module (spec 4.6). */
export const handler = define.handlers(endpoint<State>({
  GET: async ({ state }) => redirectToVersion(await state.services.contactModule()),
}));
