import { readInput } from "../../lib/platform/http/body.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { formDone } from "../../lib/platform/http/form_post.ts";
import { requireSession } from "../../lib/features/console/http.ts";
import { readSavedForm } from "../../lib/features/qualifications/http.ts";
import { route, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "For the forms and the script of our own pages.",
};

/** Saves or removes a qualification or a search, for the person who is signed in. */
export const handler = route({
  async POST({ req, state }) {
    const { user_id } = requireSession(state, "Sign in to save qualifications.");
    const { change, from } = readSavedForm(await readInput(req));
    unwrap(await state.services.saved.change(user_id, change));
    return formDone(req, from);
  },
});
