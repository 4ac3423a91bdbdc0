/** Reads an issued document and responds with its page on the console. */
import type { ComponentChildren } from "preact";
import type { Context } from "fresh";
import type { State } from "../../lib/app/state.ts";
import { requireLayer, requirePasskey } from "../../lib/features/console/http.ts";
import { issuedPath } from "../../lib/features/issuing/issued_path.ts";
import { readOwnIssued } from "../../lib/features/issuing/http/console.ts";
import { timelineOf } from "../../lib/features/issuing/issued_timeline.ts";
import { issuerPath } from "../../lib/features/issuers/issuer_path.ts";
import { readConsoleResult, shownResult } from "../../lib/features/console/results.ts";
import { mailPathOf, takesNoDocuments } from "../../lib/features/mail_reports/mail.ts";
import {
  documentPath,
  type DocumentRow,
  formatDocumentId,
  openView,
  OPERATOR,
  VIEWER_POLICY,
} from "../../lib/features/documents/mod.ts";
import { fingerprintsOf } from "../../lib/platform/mail/mod.ts";
import type { RefusedForm } from "../../lib/platform/http/file_form.ts";
import { renderConsole } from "../console/render_console.tsx";
import { canMailAgain } from "./issued_acts.ts";
import { IssuedPage } from "./IssuedPage.tsx";

/** Draws a PDF in the browser. */
export type Draw = (file: { fileUrl: string; pdfJs: string; label: string }) => ComponentChildren;

/** Renders the console's page of an issued document, also with a refused form. */
export async function renderIssued(
  ctx: Context<State>,
  draw: Draw,
  { refused, status = 200 }: { refused?: RefusedForm; status?: number } = {},
): Promise<Response> {
  const { state, params, url } = ctx;
  requireLayer(state, "L1");
  requirePasskey(state);
  const [{ issuer, ...listed }, asked] = await Promise.all([
    readOwnIssued(state, params),
    refused === undefined ? readConsoleResult(state, url) : null,
  ]);
  const { document, recipient } = listed;
  const email = recipient?.mailed_at.length ? recipient.email : null;
  const address = email === null || email === undefined
    ? null
    : await fingerprintsOf(state.services.secrets, email);
  const [pages, stopped] = await Promise.all([
    pagesOf(ctx, document, draw),
    address !== null && canMailAgain(listed) && takesNoDocuments(state.services, address),
  ]);
  const now = state.services.clock();
  const name = document.named ?? "the recipient";
  // The foundation's issuers have neither batches nor keys.
  const usesApi = issuer.organisation === "commercial";
  return await renderConsole(
    ctx,
    {
      title: `Document ${formatDocumentId(document.id)}`,
      crumbs: [{ href: issuerPath(issuer.id), text: issuer.name }],
      refused: refused !== undefined,
    },
    <IssuedPage
      {...{ listed, now, refused, pages, stopped }}
      path={issuedPath(document)}
      publicUrl={state.services.surfaces.url("trust", documentPath(document.id))}
      mailPath={address && mailPathOf(address)}
      uploadPath={usesApi && issuer.state === "active"
        ? `${issuerPath(issuer.id)}/batches/new`
        : null}
      guideUrl={usesApi
        ? state.services.surfaces.url("api", "/docs/issuing#correct-and-withdraw")
        : null}
      timeline={timelineOf(listed, now)}
      result={shownResult(asked, { name })}
    />,
    { status, headers: { "cache-control": "no-store" } },
  );
}

async function pagesOf(ctx: Context<State>, document: DocumentRow, draw: Draw) {
  const { state } = ctx;
  const { record, id, erased_at } = document;
  if (record !== null) {
    return (
      <>
        <p>It is in a record. The holder sees who reads it.</p>
        <p>
          <a class="button" href={`/console/records/${record}/documents/${id}/view`}>
            Read the document
          </a>
        </p>
      </>
    );
  }
  const opened = erased_at === undefined ? state.services.readings.open(document, OPERATOR) : null;
  if (opened === null) return <p class="flush muted">Its file is erased.</p>;
  const { shown, ticket } = await openView(ctx, opened, OPERATOR);
  state.policy = VIEWER_POLICY;
  const fileUrl = `${issuedPath(document)}/file?version=${opened.version.number}`;
  return (
    <>
      {shown.as === "pdf"
        ? draw({ fileUrl: `${fileUrl}&show=${ticket}`, pdfJs: shown.pdfJs, label: document.title })
        : <p class="muted">This kind of file is not shown here.</p>}
      <p class="flush">
        <a href={fileUrl} download>Download</a>
      </p>
    </>
  );
}
