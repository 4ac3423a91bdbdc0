/** The middleware that compresses responses, except where that could reveal a secret. */
import type { Context, Middleware } from "fresh";
import {
  type Coding,
  codingFor,
  CODINGS,
  compressOnce,
  MIN_COMPRESSED_BYTES,
  ONCE_CODINGS,
  type OnceCoding,
} from "../../platform/http/compression.ts";
import type { Precompressed } from "../../platform/http/precompressed.ts";
import { withBody } from "../../platform/http/response.ts";
import { hasOtherCookies } from "../../platform/http/theme.ts";
import type { State } from "../state.ts";

/**
 * Compresses pages, and serves the static files that the build compressed. Feeds and the OpenAPI
 * document compress themselves (`feed.ts`); other responses to programs are small.
 */
export function compression(files: Precompressed): Middleware<State> {
  return async (ctx) => {
    const response = await ctx.next();
    const { method } = ctx.req;
    if (method !== "GET" && method !== "HEAD") return response;
    const file = files.get(ctx.state.pathname);
    if (file !== undefined) return fileResponse(ctx.req, response, file);
    if (!isPage(response) || !ctx.state.shared && couldLeak(ctx)) return response;
    return await pageResponse(ctx, response);
  };
}

const isPage = ({ headers }: Response): boolean =>
  (headers.get("content-type")?.startsWith("text/html") ?? false) &&
  !headers.has("content-encoding");

/**
 * Returns whether a page may contain both a secret and text from its URL. Another site could then
 * send the visitor to many such URLs, and guess the secret from how well each page compresses
 * (BREACH). Any cookie other than the theme's counts as a secret.
 */
function couldLeak({ req, url }: Context<State>): boolean {
  return url.search !== "" && (url.searchParams.has("token") || hasOtherCookies(req));
}

/**
 * Pages are not streamed, so reading the whole body delays nothing. Shared pages are compressed
 * later, and only once.
 */
async function pageResponse(
  { req, state }: Context<State>,
  response: Response,
): Promise<Response> {
  response.headers.append("vary", "Accept-Encoding");
  if (state.shared) return response;
  const coding = codingFor(req, ONCE_CODINGS);
  if (coding === null) return response;
  // Without asking for its `body`, which would make a stream of the text.
  const bytes = new Uint8Array(await response.arrayBuffer());
  return bytes.length < MIN_COMPRESSED_BYTES
    ? withBody(response, bytes.length === 0 ? null : bytes)
    : encoded(response, compressOnce(bytes, coding), coding);
}

/** The ETag is weak, so it is valid for all codings. Ranges refer to the uncompressed file. */
function fileResponse(
  req: Request,
  response: Response,
  file: Partial<Record<Coding, Uint8Array<ArrayBuffer>>>,
): Response {
  if (![200, 206, 304].includes(response.status)) return response;
  response.headers.append("vary", "Accept-Encoding");
  const coding = codingFor(req, CODINGS);
  const bytes = coding === null ? undefined : file[coding];
  if (response.status !== 200 || coding === null || bytes === undefined) return response;
  response.headers.delete("accept-ranges");
  return encoded(response, req.method === "HEAD" ? null : bytes, coding, bytes.length);
}

function encoded(
  response: Response,
  body: Uint8Array<ArrayBuffer> | null,
  coding: OnceCoding,
  length = body!.length,
): Response {
  const compressed = withBody(response, body);
  compressed.headers.set("content-encoding", coding);
  compressed.headers.set("content-length", String(length)); // for HEAD, whose body is dropped
  return compressed;
}
