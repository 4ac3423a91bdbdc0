/** The page that opens a shared document from its link. */
import { page } from "fresh";
import { SharedLinkPage } from "../../components/documents/SharedLinkPage.tsx";
import {
  documentPath,
  type FoundShare,
  type LinkAnswer,
  linkCodeSchema,
  NOT_A_CODE,
} from "../../lib/features/documents/mod.ts";
import { wantsJson } from "../../lib/platform/http/audience.ts";
import { checkInput, readInput } from "../../lib/platform/http/body.ts";
import { clientOf } from "../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../lib/platform/http/errors.ts";
import { CONFIDENTIAL } from "../../lib/platform/http/mailed_link.ts";
import { define, pageHandler, type RouteProperties } from "../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A page for people, whose script posts the code in its address.",
  noAuthority: "The code of the shared link decides.",
};

/** The content of the page, and the code that it was found with. */
interface Data {
  found: LinkAnswer | null;
  code: string;
}

/**
 * The address of a link to a document, which its holder shares or which was mailed to a person whose request
 * was approved: `/s#<code>`. The code is in the fragment, which browsers send to nobody; the page posts it.
 * Only the POST of the page's button counts as an opening, and lets this browser read the document.
 */
export const handler = pageHandler<Data>({
  GET: () => page({ found: null, code: "" }),
  async POST(ctx) {
    const { req, state: { services: { access, shares }, holder } } = ctx;
    const { act, code, page: number } = checkInput(linkCodeSchema, await readInput(req));
    const reader = { code, request: req, clientAddress: clientOf(ctx), holder };
    let found: FoundShare;
    if (act !== "open") {
      found = unwrap(await shares.look(reader)).found;
      if (act === "new_link" && found.state === "used" && found.personal !== null) {
        await access.renewLink(code);
        return page({ found: { state: "renewed" }, code: "" }, { headers: CONFIDENTIAL });
      }
    } else {
      const opened = await shares.open({ ...reader, page: number });
      if (opened.ok) return openDocument(opened);
      if (!("found" in opened)) return unwrap(opened);
      found = opened.found;
    }
    if (wantsJson(req)) return toJson(found);
    return page({ found, code }, { status: STATUSES[found.state], headers: CONFIDENTIAL });
  },
});

const STATUSES: Partial<Record<FoundShare["state"], number>> = {
  used: 410,
  expired: 410,
  ended: 410,
  withdrawn: 410,
  document_expired: 410,
  unknown: 404,
  malformed: 400,
};

/** Programs get an error only for a code that leads nowhere; why a link ended is in the response. */
function toJson(found: FoundShare): Response {
  if (found.state === "unknown") throw new RequestError(404, "This code is not known here.");
  if (found.state === "malformed") {
    throw new RequestError(400, NOT_A_CODE, { issues: { code: NOT_A_CODE } });
  }
  return Response.json(found, { headers: CONFIDENTIAL });
}

function openDocument({ document, cookie }: { document: string; cookie: string | null }): Response {
  const headers = { ...CONFIDENTIAL, location: documentPath(document) };
  const init = {
    status: 303,
    headers: cookie === null ? headers : { ...headers, "set-cookie": cookie },
  };
  return new Response(null, init);
}

export default define.page<typeof handler>(({ data, state }) => (
  <SharedLinkPage {...data} state={state} />
));
