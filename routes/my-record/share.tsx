/** The page on which holders share one of their documents by a link. */
import type { Context } from "fresh";
import { ShareCardPage } from "../../components/documents/ShareCardPage.tsx";
import { SharePage } from "../../components/documents/SharePage.tsx";
import {
  type DocumentRow,
  issuedBy,
  parseDocumentId,
  shareSchema,
} from "../../lib/features/documents/mod.ts";
import { readResult, withResult } from "../../lib/platform/http/action_result.ts";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { type Problem, RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { formDone, orShowForm } from "../../lib/platform/http/form_post.ts";
import { renderWithoutScripts } from "../../lib/platform/http/render.ts";
import {
  readerOfContext,
  requireHolder,
  requireOpenRecord,
  requireRecent,
} from "../../lib/features/records/mod.ts";
import { route, type State } from "../../lib/app/state.ts";

const HEADERS = { "cache-control": "no-store" };

/**
 * The links with which the holder shares the document in the query. POST creates one, which only that
 * response contains, or ends one. To create one, the holder must have signed in recently: a stolen
 * session must not open documents.
 */
export const handler = route({
  GET: (ctx) => render(ctx),
  async POST(ctx) {
    const { req, state } = ctx;
    const { services: { shares }, surface } = state;
    const { record } = requireHolder(state);
    const input = await readInput(req);
    // Outside the form, because the sign-in page comes first.
    if ((input as { act?: unknown }).act === "create") requireRecent(state);
    const document = await documentOf(ctx, record);
    return await orShowForm(req, async () => {
      const given = checkInput(shareSchema, input);
      const reader = readerOfContext(ctx);
      if (given.act === "end") {
        const { share } = unwrap(await shares.end({ record, hash: given.share, reader }));
        const page = await withResult(state.services, record, pathOf(document), "end", share.hash);
        return formDone(req, page);
      }
      const { act: _, ...wanted } = given;
      const { code, share } = unwrap(
        await shares.create({ record, document: document.id, ...wanted, reader }),
      );
      const address = `${state.services.surfaces.url("trust") ?? surface.baseUrl}/s`;
      if (wantsJson(req)) {
        const json = { code, url: `${address}#${code}`, ends_at: share.ends_at };
        return Response.json(json, { status: 201, headers: HEADERS });
      }
      const issuer = issuedBy((await state.services.documentParties.of([document]))(document));
      const card = <ShareCardPage {...{ issuer, document, share, code, address }} />;
      return await ctx.render(card, { headers: HEADERS });
    }, (problem) => render(ctx, { problem, values: input as Record<string, string> }));
  },
});

const pathOf = ({ id }: DocumentRow) => `/my-record/share?document=${id}`;

/** Reads the document of the holder's record that the query names. */
async function documentOf(ctx: Context<State>, record: string): Promise<DocumentRow> {
  const id = parseDocumentId(ctx.url.searchParams.get("document") ?? "");
  const document = id === null ? null : await ctx.state.services.documents.read(id);
  if (document === null || document.record !== record) throw new RequestError(404);
  return document;
}

async function render(
  ctx: Context<State>,
  refused?: { problem: Problem; values: Record<string, string> },
): Promise<Response> {
  const { services } = ctx.state;
  const { record, recent } = requireOpenRecord(ctx.state);
  const [document, listed] = await Promise.all([
    documentOf(ctx, record.hash),
    services.shares.list(record.hash),
  ]);
  const shares = listed.filter((share) => share.document === document.id);
  const done = refused ? null : await readResult(services, record.hash, ctx.url);
  const ended = shares.find(({ hash }) => hash === done?.of);
  const form = crypto.randomUUID();
  const page = <SharePage {...{ document, shares, recent, form, ended, refused }} />;
  return await renderWithoutScripts(ctx, page, { ...refused?.problem, headers: HEADERS });
}
