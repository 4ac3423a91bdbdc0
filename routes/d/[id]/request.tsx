import type { Context } from "fresh";
import {
  RequestAccessPage,
  type RequestAccessProps,
  RequestSentPage,
} from "../../../components/documents/RequestAccessPage.tsx";
import { parseDocumentId, requesterSchema } from "../../../lib/documents/mod.ts";
import { checkInput, isFormPost, readInput } from "../../../lib/http/body.ts";
import { clientAddress } from "../../../lib/http/client_address.ts";
import { endpoint } from "../../../lib/http/endpoint.ts";
import { RequestError, unwrap } from "../../../lib/http/errors.ts";
import { define, type State } from "../../../lib/state.ts";

/**
 * Asks for access to a document. Everything is the same for every id, whether or not there is such a
 * document, and for every address.
 */
export const handler = define.handlers(endpoint<State>({
  GET: (ctx) => render(ctx, {}),
  async POST(ctx) {
    const { req, info, state: { services: { access, config } } } = ctx;
    const document = idOf(ctx);
    const input = await readInput(req);
    try {
      const person = checkInput(requesterSchema, input);
      const address = clientAddress(req, info, config.trustProxy);
      unwrap(
        await access.request({
          document,
          person,
          clientAddress: address,
          responded: info.completed,
        }),
      );
      if (!isFormPost(req)) return Response.json({ success: true });
      ctx.state.scripts = false;
      return await ctx.render(<RequestSentPage document={document} email={person.email} />);
    } catch (error) {
      if (!(error instanceof RequestError) || !isFormPost(req)) throw error;
      const { issues, message } = error;
      const values = input as Record<string, string>;
      const problem = issues === undefined ? message : "Please check the form.";
      return await render(ctx, { values, issues, problem }, error);
    }
  },
}));

function idOf({ params }: Context<State>): string {
  const id = parseDocumentId(params.id);
  if (id === null) throw new RequestError(404);
  return id;
}

function render(
  ctx: Context<State>,
  form: Omit<RequestAccessProps, "document">,
  { status, headers }: Pick<ResponseInit, "status" | "headers"> = {},
) {
  const page = <RequestAccessPage document={idOf(ctx)} {...form} />;
  ctx.state.scripts = false;
  return ctx.render(page, { status, headers });
}
