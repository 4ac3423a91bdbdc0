/** The page on which holders create, replace and revoke the key of their card. */
import { KeyCardPage } from "../../components/records/KeyCardPage.tsx";
import { KeyPage } from "../../components/records/KeyPage.tsx";
import { readResult, withResult } from "../../lib/platform/http/action_result.ts";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import {
  KEY_LEVEL,
  keyActionSchema,
  readerOfContext,
  requireHolder,
  requireOpenRecord,
  requireRecent,
} from "../../lib/features/records/mod.ts";
import { route } from "../../lib/app/state.ts";

const HEADERS = { "cache-control": "no-store" };

/**
 * The key of the holder's record. GET shows its state. POST `{act: "show"}` creates the first key and
 * `{act: "replace", id}` a new one; only that response contains the key. `{act: "revoke", id}` ends
 * it.
 */
export const handler = route({
  async GET(ctx) {
    const { record } = requireOpenRecord(ctx.state);
    const keys = await ctx.state.services.records.keys.read(record.hash);
    const mayIssue = record.row.level >= KEY_LEVEL;
    const result = await readResult(ctx.state.services, record.hash, ctx.url);
    const done = result === null ? null : "revoked";
    return ctx.render(<KeyPage {...{ keys, mayIssue, done }} />, { headers: HEADERS });
  },
  async POST(ctx) {
    const { req, state } = ctx;
    const { surface, services } = state;
    const { records: { keys }, surfaces } = services;
    const given = checkInput(keyActionSchema, await readInput(req));
    const { record: hash } = given.act === "revoke" ? requireHolder(state) : requireRecent(state);
    const reader = readerOfContext(ctx);
    if (given.act === "revoke") {
      unwrap(await keys.revoke({ hash, reader, id: given.id }));
      return wantsJson(req)
        ? Response.json({ revoked: true }, { headers: HEADERS })
        : ctx.redirect(await withResult(services, hash, "/my-record/key", "revoked"), 303);
    }
    const { key, created_at } = unwrap(
      given.act === "show"
        ? await keys.issue({ hash, reader })
        : await keys.replace({ hash, reader, id: given.id }),
    );
    const serviceUrl = `${surfaces.url("trust") ?? surface.baseUrl}/k`;
    if (wantsJson(req)) {
      const json = { key, url: `${serviceUrl}#${key}`, hash, created_at };
      return Response.json(json, { status: 201, headers: HEADERS });
    }
    const card = <KeyCardPage {...{ state, hash, created_at, serviceUrl }} recordKey={key} />;
    return ctx.render(card, { headers: HEADERS });
  },
});
