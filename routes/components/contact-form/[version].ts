import { serveVersion } from "../../../lib/features/contact/http.ts";
import { RequestError } from "../../../lib/platform/http/errors.ts";
import { route } from "../../../lib/app/state.ts";

export const handler = route({
  async GET({ state, params, req }) {
    const script = serveVersion(await state.services.contactModule(), params.version, req);
    if (script === null) throw new RequestError(404);
    return script;
  },
});
