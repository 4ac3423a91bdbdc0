/** Reads everything that the console's page of a record shows. */
import type { Context } from "fresh";
import { requireLayer } from "../../lib/features/console/http.ts";
import { mailPath } from "../../lib/features/mail_reports/mail.ts";
import { checkHash, readOwnRecord } from "../../lib/features/records/http.ts";
import { readConsoleResult, shownResult } from "../../lib/features/console/results.ts";
import { siteName } from "../../lib/features/records/charts.ts";
import { aboutContact } from "../../lib/features/contact/mod.ts";
import type { RefusedForm as RefusedDocument } from "../../lib/platform/http/file_form.ts";
import { readDeliveries } from "../../lib/platform/jobs/mod.ts";
import { accessIdSchema, readAccessLog, type RecordRow } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { RecordDocuments } from "../documents/RecordDocuments.tsx";
import { RecordPayments } from "../payments/RecordPayments.tsx";
import type { RefusedForm } from "./ConsoleForms.tsx";
import { RecordPage } from "./ConsoleRecordPage.tsx";
import { renderConsole } from "../console/render_console.tsx";

/** How many events of the chain, and entries of the access log, are shown at first. */
const LATEST = 5;

/** Renders the console's page of a record, which several endpoints return with a refused form. */
export async function renderRecord(
  ctx: Context<State>,
  { refused, refusedDocument, status = 200 }: {
    refused?: RefusedForm;
    refusedDocument?: RefusedDocument;
    status?: number;
  } = {},
): Promise<Response> {
  const { state, url, params } = ctx;
  const asked = refused || refusedDocument ? null : await readConsoleResult(state, url);
  const operator = requireLayer(state, "L1");
  const hash = checkHash(params.hash);
  const {
    surfaces,
    records,
    documents,
    issuers,
    payments,
    access,
    chains,
    inbox,
    kv,
    clock,
    config,
    secrets,
  } = state.services;
  const { organisation } = state.surface;
  const now = clock();
  const ofRecord = documents.list(hash);
  const cursor = accessIdSchema.safeParse(url.searchParams.get("log")).data;
  const [record, recovery, log, list, choices, paid, requests, chain, mails, enquiry] =
    await Promise.all([
      readOwnRecord(state, hash),
      records.recoveries.read(hash),
      readAccessLog(kv, hash, now, cursor === undefined ? { limit: LATEST } : { cursor }),
      ofRecord,
      issuers.list(organisation),
      payments.ofRecord(organisation, hash),
      access.list(hash, ofRecord),
      chains.page(hash, { limit: LATEST }),
      readDeliveries(kv, aboutContact(hash), now),
      inbox.stateOf(hash),
    ]);
  const { contact: { value: contact } } = record;
  const sections = {
    documents: (
      <RecordDocuments
        record={hash}
        documents={list}
        now={now}
        open={record.row.replaced_by === null}
        refused={refusedDocument}
        choices={{
          own: config.organisations[organisation].name,
          issuers: choices.filter(({ state }) => state === "active"),
        }}
      />
    ),
    documentCount: list.length,
    payments: paid.length === 0 ? null : <RecordPayments payments={paid} />,
    paymentCount: paid.length,
  };
  return await renderConsole(
    ctx,
    { title: `Record ${hash.slice(0, 8)}` },
    <RecordPage
      {...{ record, recovery, log, requests, chain, mails, enquiry, refused, ...sections }}
      site={siteName(contact.site, surfaces)}
      mailPath={await mailPath(secrets, contact.record.email)}
      verifyUrl={surfaces.url("trust", `/verify?hash=${hash}`)}
      levelsUrl={surfaces.url("trust", "/levels")}
      operator={operator.email}
      result={shownResult(asked, {
        states: [identityState(record.row), recovery === null ? "not recovering" : "recovering"],
        undo: asked?.done === "recover" ? { fields: { act: "cancel_recovery" } } : null,
      })}
    />,
    { status },
  );
}

const identityState = ({ identity, identity_revoked }: RecordRow): string =>
  identity !== null ? "checked" : identity_revoked !== null ? "revoked" : "unchecked";
