/** The page, and API, that tells whether a file is a registered document. */
import { page } from "fresh";
import { pageLog } from "../../components/chain/page_log.ts";
import { CheckPage, type CheckPageProps } from "../../components/documents/CheckPage.tsx";
import { checkDocument } from "../../lib/features/api/mod.ts";
import {
  anyone,
  checkBodySchema,
  checkerOf,
  findSha256,
} from "../../lib/features/documents/mod.ts";
import { isFromOwnPage, wantsPage } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { cacheable, jsonContent } from "../../lib/platform/http/etag.ts";
import { serveOperation } from "../../lib/app/serve_operation.ts";
import { define, pageHandler, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  onlyReads: true,
  noAuthority: "Anyone may check a document.",
};

const HEADERS = { vary: "Accept, User-Agent" };
const NO_STORE = { "cache-control": "no-store" };

/**
 * Reports whether a file is a registered document, by its SHA-256 hash. `GET /check?sha256=<hash>` is
 * a page, or JSON for programs, which does not depend on the session.
 * The page posts the hash of a file that the browser has, and also gets a nonce for `/check/verified`.
 * If nothing matches, it posts the number that the file's pages print, and learns whether the file
 * differs from that document.
 */
export const handler = pageHandler<CheckPageProps>({
  async GET(ctx) {
    const { url, req, state: { services: { checks, pdfJs: scripts } } } = ctx;
    if (!wantsPage(req)) return await reportForPrograms(ctx);
    const text = url.searchParams.get("sha256") ?? "";
    const clientAddress = clientOf(ctx);
    const always = { text, log: await pageLog(ctx.state), pdfJs: await scripts.path() };
    if (text.trim() === "") return page({ ...always, result: null }, { headers: HEADERS });
    const found = findSha256(text);
    if (!found.ok) {
      const data = { ...always, problem: found.message, result: null };
      return page(data, { status: 400, headers: HEADERS });
    }
    if (text !== found.sha256) return ctx.redirect(`/check?sha256=${found.sha256}`);
    const question = { sha256: text, clientAddress, checker: checkerOf(ctx) };
    const result = await checks.lookUp(question);
    const headers = { ...HEADERS, ...NO_STORE };
    if (result.ok) return page({ ...always, result: { report: result.report } }, { headers });
    const retry = { "retry-after": String(result.retryAfterSeconds) };
    const data = { ...always, result: { failure: result.message! } };
    return page(data, { status: 429, headers: { ...headers, ...retry } });
  },
  async POST(ctx) {
    if (!isFromOwnPage(ctx)) throw new RequestError(403);
    const asked = checkInput(checkBodySchema, await readInput(ctx.req));
    const asker = { clientAddress: clientOf(ctx), checker: checkerOf(ctx), fromPage: true };
    const { checks } = ctx.state.services;
    const { ok: _, ...answer } = unwrap(await checks.lookUp({ ...asked, ...asker }));
    return Response.json(answer, { headers: NO_STORE });
  },
});

const reportForPrograms = serveOperation(checkDocument, async (ctx, { query: { sha256 } }) => {
  const { req, state: { services: { checks } } } = ctx;
  const question = { sha256, clientAddress: clientOf(ctx), checker: anyone };
  const { report } = unwrap(await checks.lookUp(question));
  const headers = { ...HEADERS, "cache-control": "public, no-cache" };
  return await cacheable(req, jsonContent(report), headers);
});

export default define.page<typeof handler>(({ data, state }) => (
  <CheckPage {...data} state={state} />
));
