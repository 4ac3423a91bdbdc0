import { z } from "zod";
import { hashSchema } from "../../packages/proof/mod.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { requireHolderSession } from "../../lib/features/records/mod.ts";
import { consentPath, requestTokenOf } from "../../lib/features/oauth/mod.ts";
import { route } from "../../lib/app/state.ts";

const schema = z.object({ record: hashSchema, request: z.string().max(100).optional() });

/** Opens one of the records that the holder's sign-in gives access to. */
export const handler = route({
  async POST({ req, state }) {
    const session = requireHolderSession(state);
    const { record, request } = checkInput(schema, await readInput(req));
    unwrap(await state.services.records.choose(session, record));
    const token = requestTokenOf(request);
    const location = token === null ? "/my-record" : consentPath(token);
    return new Response(null, { status: 303, headers: { location } });
  },
});
