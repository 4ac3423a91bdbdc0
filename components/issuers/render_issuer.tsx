/** The functions with which the console's routes respond with pages of an issuer. */
import type { ComponentChildren } from "preact";
import type { Context } from "fresh";
import type { State } from "../../lib/app/state.ts";
import { requireLayer } from "../../lib/features/console/http.ts";
import type { ActsPage, ShownOnce } from "./acts.ts";
import { checkIssuerId, readOwnIssuer } from "../../lib/features/issuers/http/requests.ts";
import { readConsoleResult, shownResult } from "../../lib/features/console/results.ts";
import type { IssuerRow } from "../../lib/features/issuers/mod.ts";
import { RequestError } from "../../lib/platform/http/errors.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { ActionResult } from "../ActionResult.tsx";
import { Card, CodeSample } from "../console_parts.tsx";
import { renderConsole } from "../console/render_console.tsx";
import { IssuerFrame, type IssuerPageName, issuerPagePath } from "./IssuerFrame.tsx";
import { ISSUER_SECTIONS } from "./sections.ts";

interface RenderSettings {
  /** True if the page says why a form was refused. */
  refused?: boolean;
  status?: number;
}

/**
 * Renders a page of an issuer in its frame.
 *
 * @param read reads what the page shows, at the same time as the issuer, which may be of another organisation
 * @param show returns the view
 */
export async function renderIssuer<Data>(
  ctx: Context<State>,
  page: IssuerPageName,
  read: (id: string) => Promise<Data>,
  show: (issuer: IssuerRow, data: Data) => ComponentChildren,
  { refused, status = 200 }: RenderSettings = {},
): Promise<Response> {
  const { state, params } = ctx;
  requireLayer(state, "L1");
  const { services: { issuers, clock }, surface: { organisation } } = state;
  const id = checkIssuerId(params.id);
  const [issuer, uses, data] = await Promise.all([
    readOwnIssuer(state, id),
    issuers.lastUses(organisation),
    read(id),
  ]);
  return await renderConsole(
    ctx,
    { title: issuer.name, refused },
    <IssuerFrame {...{ issuer, page }} now={clock()} usedAt={uses.get(id)}>
      {show(issuer, data)}
    </IssuerFrame>,
    { status },
  );
}

/** Renders a page with forms that change an issuer, also with a refused one. */
export function renderSections(
  ctx: Context<State>,
  page: ActsPage,
  scripts: ComponentChildren,
  { refused, once, status }: { refused?: RefusedForm; once?: ShownOnce; status?: number } = {},
): Promise<Response> {
  const { state, url } = ctx;
  const now = state.services.clock();
  const sections = ISSUER_SECTIONS[page];
  const read = (id: string) =>
    Promise.all([
      refused || once ? null : readConsoleResult(state, url),
      ...sections.map((section) => section.read?.({ id, state, now })),
    ]);
  return renderIssuer(ctx, page, read, (issuer, [asked, ...data]) => {
    const path = issuerPagePath(issuer.id, page);
    const isOwn = issuer.id === issuer.organisation;
    const view = { issuer, isOwn, path, state, now, refused, once };
    const result = shownResult(asked, { name: issuer.name });
    const shown = sections.flatMap(({ id, title, ...section }, i) => {
      const content = section.show(view, data[i]);
      return content === null ? [] : [{ id, title, content }];
    });
    if (shown.length === 0) throw new RequestError(404); // this console has no such page
    return (
      <>
        {result !== null && <ActionResult result={result} action={path} />}
        {once !== undefined && <Once {...once} />}
        <div class="stack gap-4 issuer-sections">
          {shown.map(({ id, title, content }) => (
            <Card key={id} id={id} title={title}>{content}</Card>
          ))}
        </div>
        {scripts}
      </>
    );
  }, { refused: refused !== undefined, status });
}

const Once = ({ title, value, text }: ShownOnce) => (
  <section class="card below-4" role="status" aria-labelledby="once">
    <h2 id="once">{title}</h2>
    <CodeSample code={value} />
    <p>{text}</p>
  </section>
);
