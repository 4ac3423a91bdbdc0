import { emptySchema } from "../../../../../lib/features/issuing/mod.ts";
import { ISSUER_API, postWithKey, route } from "../../../../../lib/app/state.ts";

export const properties = ISSUER_API;

/** Sends the mails of a batch without waiting. */
export const handler = route({
  POST: postWithKey(
    "documents:write",
    emptySchema,
    ({ params, state: { services: { batchApi } } }, call) => batchApi.send(call, params.id),
  ),
});
