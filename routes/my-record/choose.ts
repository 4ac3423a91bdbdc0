import { z } from "zod";
import { hashSchema } from "../../lib/chain/mod.ts";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
import { define, type State } from "../../lib/state.ts";

const schema = z.object({ record: hashSchema });

/** Opens one of the records that the holder's sign-in gives access to. */
export const handler = define.handlers(endpoint<State>({
  async POST({ req, state: { holder, services: { records } } }) {
    const { record } = checkInput(schema, await readInput(req));
    if (holder === null) throw new RequestError(401, "Sign in to your record first.");
    unwrap(await records.choose(holder, record));
    return new Response(null, { status: 303, headers: { location: "/my-record" } });
  },
}));
