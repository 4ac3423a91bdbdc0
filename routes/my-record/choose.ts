import { z } from "zod";
import { hashSchema } from "../../lib/features/chain/mod.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { consentPath, requestTokenOf } from "../../lib/features/oauth/mod.ts";
import { route } from "../../lib/app/state.ts";

const schema = z.object({ record: hashSchema, request: z.string().max(100).optional() });

/** Opens one of the records that the holder's sign-in gives access to. */
export const handler = route({
  async POST({ req, state: { holder, services: { records } } }) {
    const { record, request } = checkInput(schema, await readInput(req));
    if (holder === null) throw new RequestError(401, "Sign in to your record first.");
    unwrap(await records.choose(holder, record));
    const token = requestTokenOf(request);
    const location = token === null ? "/my-record" : consentPath(token);
    return new Response(null, { status: 303, headers: { location } });
  },
});
