import { HttpError } from "fresh";
import { z } from "zod";
import { checkInput } from "../../lib/platform/http/body.ts";
import { route } from "../../lib/app/state.ts";
import { LIVE, versionOf } from "../../lib/features/workbench/mod.ts";

const query = z.object({ of: z.enum(LIVE) });

/** The version of what a page of the workbench shows, for pages that are open. */
export const handler = route({
  async GET({ url, state }) {
    const { of } = checkInput(query, Object.fromEntries(url.searchParams));
    const version = await versionOf(of, state.services);
    if (version === null) throw new HttpError(404);
    return Response.json({ version }, { headers: { "cache-control": "no-store" } });
  },
});
