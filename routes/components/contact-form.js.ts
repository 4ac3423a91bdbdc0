import { redirectToVersion } from "../../lib/features/contact/http.ts";
import { route } from "../../lib/app/state.ts";

/** The stable URL of the contact module (spec 4.6). */
export const handler = route({
  GET: async ({ state }) => redirectToVersion(await state.services.contactModule()),
});
