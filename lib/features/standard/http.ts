import { HttpError, page } from "fresh";
import type { PageResponse } from "fresh";
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

const download = ({ version, fileName }: ShownPage): Response =>
  new Response(version.markdown, {
    headers: {
      "content-type": "text/markdown; charset=utf-8",
      "content-disposition": `attachment; filename="${fileName}"`,
    },
  });
