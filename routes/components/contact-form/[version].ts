import { serveVersion } from "../../../lib/contact/module.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { RequestError } from "../../../lib/http/errors.ts";
import { define, type State } from "../../../lib/state.ts";

export const handler = define.handlers(endpoint<State>({
  async GET({ state, params, req }) {
    const script = serveVersion(await state.services.contactModule(), params.version, req);
    if (script === null) throw new RequestError(404);
    return script;
  },
}));
