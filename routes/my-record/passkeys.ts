import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import {
  passkeyFormSchema,
  readerOfContext,
  requireHolder,
  requireRecent,
} from "../../lib/features/records/mod.ts";
import { route } from "../../lib/app/state.ts";

/** Renames a passkey, or removes it if the holder has signed in recently. */
export const handler = route({
  async POST(ctx) {
    const { record } = requireHolder(ctx.state);
    const input = checkInput(passkeyFormSchema, await readInput(ctx.req));
    const { passkeys } = ctx.state.services.records;
    const reader = readerOfContext(ctx);
    if (input.act === "rename") {
      unwrap(await passkeys.rename({ record, reader }, input.id, input.name));
      return ctx.redirect("/my-record?passkey=renamed#passkeys", 303);
    }
    requireRecent(ctx.state);
    unwrap(await passkeys.remove({ record, reader }, input.id));
    return ctx.redirect("/my-record?passkey=removed#passkeys", 303);
  },
});
