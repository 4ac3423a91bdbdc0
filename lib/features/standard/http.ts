/** Responses with the texts of the standard and the published pages, in the version that a request asks for. */
import { HttpError, page } from "fresh";
import type { PageResponse } from "fresh";
import type { WholeText } from "./complete.ts";
import type { Standard } from "./mod.ts";
import type { Pages, ShownPage } from "./pages/pages.ts";

const NUMBER = /^[1-9]\d{0,5}$/;

/**
 * Responds to a request for a published page. `?version=<number>` selects a version, and `&format=md`
 * downloads its Markdown: the exact bytes that its hash covers.
 *
 * @param name the page's name; 404 if there is no such page or version
 */
export async function respondWithPage(
  { url, state }: { url: URL; state: { services: { pages: Pages } } },
  name: string,
): Promise<Response | PageResponse<ShownPage>> {
  const number = url.searchParams.get("version");
  if (number !== null && !NUMBER.test(number)) throw new HttpError(404);
  const shown = await state.services.pages.read(name, number === null ? undefined : Number(number));
  if (shown === null) throw new HttpError(404);
  return url.searchParams.get("format") === "md" ? download(shown) : page(shown);
}

/**
 * Returns the text of the version that a request asks for with `?version=1.0`, by default the current
 * one.
 *
 * @throws {HttpError} 404 if there is no such version
 */
export function textOf(standard: Standard, { searchParams }: URL): WholeText {
  const text = standard.inVersion(searchParams.get("version") ?? standard.version);
  if (text === undefined) throw new HttpError(404);
  return text;
}

const download = ({ version, fileName }: ShownPage): Response =>
  new Response(version.markdown, {
    headers: {
      "content-type": "text/markdown; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
    },
  });
