import { serveVersion } from "../../../lib/features/contact/module.ts";
import { endpoint } from "../../../lib/platform/http/endpoint.ts";
import { RequestError } from "../../../lib/platform/http/errors.ts";
import { define, type State } from "../../../lib/app/state.ts";

export const handler = define.handlers(endpoint<State>({
  async GET({ state, params, req }) {
    const script = serveVersion(await state.services.contactModule(), params.version, req);
    if (script === null) throw new RequestError(404);
    return script;
  },
}));
