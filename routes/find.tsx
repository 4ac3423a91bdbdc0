/** The search of the trust surface: where a number, hash, key or link leads. */
import { page } from "fresh";
import { pageLog } from "../components/chain/page_log.ts";
import { SharedLinkPage } from "../components/documents/SharedLinkPage.tsx";
import { KeyServicePage } from "../components/records/KeyServicePage.tsx";
import { FindPage } from "../components/standard/pages/FindPage.tsx";
import type { LinkAnswer } from "../lib/features/documents/mod.ts";
import type { KeyAnswer } from "../lib/features/records/mod.ts";
import { findPlace, MAX_FOUND_TEXT, type Place } from "../lib/features/standard/pages/mod.ts";
import { isFromOwnPage } from "../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../lib/platform/http/body.ts";
import { clientOf } from "../lib/platform/http/client_address.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { CONFIDENTIAL } from "../lib/platform/http/mailed_link.ts";
import { define, pageHandler, type RouteProperties, type State } from "../lib/app/state.ts";
import type { Context } from "fresh";
import type { PageLog } from "../components/chain/browser_trust.ts";
import { z } from "zod";

export const properties: RouteProperties = {
  onlyReads: true,
  notInOpenApi: "A form for people.",
  noAuthority: "Anyone may look something up.",
};

const bodySchema = z.object({ text: z.string().max(MAX_FOUND_TEXT) });

/** The content of the page: the form, the answer to a key, or the document behind a shared link. */
type Data =
  | { show: "form"; text: string; problem?: string }
  | { show: "key"; answer: KeyAnswer; log: PageLog | null }
  | { show: "link"; found: LinkAnswer; code: string };

/**
 * The field of the trust surface's home page: whatever somebody has, a number, a hash, a key or a link, leads to its
 * page. It is posted, because a key must not be in an address.
 */
export const handler = pageHandler<Data>({
  GET: () => page({ show: "form", text: "" }),
  async POST(ctx) {
    const { text } = checkInput(bodySchema, await readInput(ctx.req));
    const found = await findPlace(ctx.state.services, text);
    if (!found.ok) {
      const data = { show: "form" as const, text, problem: found.message };
      return page(data, { status: 400, headers: CONFIDENTIAL });
    }
    const { place } = found;
    if (place.at === "page") return ctx.redirect(place.path, 303);
    return page(await answerTo(ctx, place), { headers: CONFIDENTIAL });
  },
});

/** Looks up a key or the code of a shared link. A code that may be either is a key, unless only a link has it. */
async function answerTo(
  ctx: Context<State>,
  { at, code }: Exclude<Place, { at: "page" }>,
): Promise<Data> {
  const { req, state: { services: { records, shares }, surface, holder } } = ctx;
  const asker = { clientAddress: clientOf(ctx), holder };
  const link = async () => unwrap(await shares.look({ code, request: req, ...asker })).found;
  if (at === "link") return { show: "link", found: await link(), code };
  const fromPage = isFromOwnPage(ctx);
  const answer = unwrap(
    await records.keyService.lookUp({ key: code, surface, fromPage, ...asker }),
  );
  if (at === "code" && answer.report.state === "unknown") {
    const found = await link();
    if (found.state !== "unknown") return { show: "link", found, code };
  }
  return { show: "key", answer, log: await pageLog(ctx.state) };
}

export default define.page<typeof handler>(({ data, state }) => {
  switch (data.show) {
    case "form":
      return <FindPage {...data} />;
    case "key":
      return <KeyServicePage {...data} state={state} />;
    case "link":
      return <SharedLinkPage {...data} state={state} />;
  }
});
