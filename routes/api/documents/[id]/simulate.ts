import { simulateSchema } from "../../../../lib/features/issuing/mod.ts";
import { ISSUER_API, route, withKey } from "../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Does in a test what the recipient would do. */
export const handler = route({
  POST: withKey(
    "documents:write",
    ({ req, params, state: { services: { issuerApi } } }, caller) =>
      issuerApi.post(
        req,
        caller,
        simulateSchema,
        (input) => issuerApi.simulate(caller, params.id, input),
      ),
  ),
});
