import type { Context } from "fresh";
import { z } from "zod";
import { KeyCardPage } from "../../components/records/KeyCardPage.tsx";
import { KeyPage } from "../../components/records/KeyPage.tsx";
import { wantsJson } from "../../lib/http/audience.ts";
import { checkInput, readInput } from "../../lib/http/body.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../lib/http/errors.ts";
import {
  KEY_LEVEL,
  type NewKey,
  readerOfContext,
  requireHolder,
  requireRecent,
} from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const id = z.string().regex(/^[0-9a-f]{64}$/, "Reload the page: it has changed.");
const input = z.discriminatedUnion("act", [
  z.object({ act: z.literal("show") }),
  z.object({ act: z.literal("replace"), id }),
  z.object({ act: z.literal("revoke"), id }),
]);
const HEADERS = { "cache-control": "no-store" };

/**
 * The key of the holder's record. GET shows its state. POST `{act: "show"}` creates the first key and
 * `{act: "replace", id}` a new one; only that response contains the key. `{act: "revoke", id}` ends
 * it.
 */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    return await showState(ctx, requireHolder(ctx.state).record);
  },
  async POST(ctx) {
    const { req, state } = ctx;
    const { keys } = state.services.records;
    const given = checkInput(input, await readInput(req));
    const { record: hash } = given.act === "revoke" ? requireHolder(state) : requireRecent(state);
    const reader = readerOfContext(ctx);
    if (given.act === "revoke") {
      unwrap(await keys.revoke({ hash, reader, id: given.id }));
      return wantsJson(req)
        ? Response.json({ revoked: true }, { headers: HEADERS })
        : ctx.redirect("/my-record/key?revoked=1", 303);
    }
    const created = given.act === "show"
      ? await keys.issue({ hash, reader })
      : await keys.replace({ hash, reader, id: given.id });
    return showKey(ctx, hash, unwrap(created));
  },
}));

async function showState(ctx: Context<State>, hash: string): Promise<Response> {
  const { records } = ctx.state.services;
  const [record, keys] = await Promise.all([records.read(hash), records.keys.read(hash)]);
  if (record === null) throw new RequestError(404);
  const mayIssue = record.row.level >= KEY_LEVEL;
  const done = ctx.url.searchParams.has("revoked") ? "revoked" : null;
  return ctx.render(<KeyPage {...{ keys, mayIssue, done }} />, { headers: HEADERS });
}

function showKey(
  ctx: Context<State>,
  hash: string,
  { key, created_at }: NewKey,
): Response | Promise<Response> {
  const { services: { surfaces, config }, surface } = ctx.state;
  const serviceUrl = `${surfaces.url("trust") ?? surface.baseUrl}/k`;
  if (wantsJson(ctx.req)) {
    return Response.json({ key, url: `${serviceUrl}#${key}`, hash, created_at }, {
      status: 201,
      headers: HEADERS,
    });
  }
  const publisher = config.organisations[surface.organisation].name;
  const card = <KeyCardPage {...{ hash, created_at, serviceUrl, publisher }} recordKey={key} />;
  return ctx.render(card, { headers: HEADERS });
}
