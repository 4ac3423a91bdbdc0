/** The form in which a reader asks the holder for access to a document. */
import type { Context } from "fresh";
import {
  RequestAccessPage,
  RequestSentPage,
} from "../../../components/documents/RequestAccessPage.tsx";
import { parseDocumentId, requesterSchema } from "../../../lib/features/documents/mod.ts";
import { checkInput, isFormPost, readInput } from "../../../lib/platform/http/body.ts";
import { clientOf } from "../../../lib/platform/http/client_address.ts";
import { RequestError, unwrap } from "../../../lib/platform/http/errors.ts";
import { orShowForm } from "../../../lib/platform/http/form_post.ts";
import { renderWithoutScripts } from "../../../lib/platform/http/render.ts";
import { route, type RouteProperties, type State } from "../../../lib/app/state.ts";

export const properties: RouteProperties = {
  notInOpenApi: "A form for people.",
  noAuthority: "Anyone may ask for access.",
};

/**
 * Asks for access to a document. Everything is the same for every id, whether or not there is such a
 * document, and for every address.
 */
export const handler = route({
  GET: (ctx) => renderWithoutScripts(ctx, <RequestAccessPage document={idOf(ctx)} />),
  async POST(ctx) {
    const { req, info, state: { services: { access } } } = ctx;
    const document = idOf(ctx);
    const input = await readInput(req);
    return await orShowForm(req, async () => {
      const person = checkInput(requesterSchema, input);
      const from = { clientAddress: clientOf(ctx), responded: info.completed };
      unwrap(await access.request({ document, person, ...from }));
      if (!isFormPost(req)) return Response.json({ success: true });
      const page = <RequestSentPage document={document} email={person.email} />;
      return await renderWithoutScripts(ctx, page);
    }, (problem) => {
      const values = input as Record<string, string>;
      return renderWithoutScripts(
        ctx,
        <RequestAccessPage {...{ document, values, problem }} />,
        problem,
      );
    });
  },
});

function idOf({ params }: Context<State>): string {
  const id = parseDocumentId(params.id);
  if (id === null) throw new RequestError(404);
  return id;
}
