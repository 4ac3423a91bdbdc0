import type { Context } from "fresh";
import { requireLayer } from "../../lib/console/access.ts";
import { readOwnRecord } from "../../lib/console/own_records.ts";
import { readAccessLog } from "../../lib/records/mod.ts";
import type { State } from "../../lib/state.ts";
import type { RefusedForm as RefusedDocument } from "../documents/DocumentFields.tsx";
import { RecordDocuments } from "../documents/RecordDocuments.tsx";
import { RecordPayments } from "../payments/RecordPayments.tsx";
import { ConsoleFrame } from "./ConsoleFrame.tsx";
import { RecordDetailsPage, type RefusedForm } from "./RecordsPages.tsx";

/** Renders the console's page of a record, which several endpoints return with a refused form. */
export async function renderRecord(
  ctx: Context<State>,
  { refused, refusedDocument, status = 200 }: {
    refused?: RefusedForm;
    refusedDocument?: RefusedDocument;
    status?: number;
  } = {},
): Promise<Response> {
  const { state, url, req, params } = ctx;
  const operator = requireLayer(state, "L1");
  const record = await readOwnRecord(state, params.hash);
  const { surfaces, records, documents, payments, kv, clock } = state.services;
  const [recovery, log, list, paid] = await Promise.all([
    records.recovery(record.hash),
    readAccessLog(kv, record.hash, clock()),
    documents.list(record.hash),
    payments.ofRecord(state.surface.organisation, record.hash),
  ]);
  return await ctx.render(
    <ConsoleFrame {...{ state, url, req }} visitor={operator} title="Record">
      <RecordDetailsPage
        record={record}
        verifyUrl={surfaces.url("trust", `/verify?hash=${record.hash}`)}
        levelsUrl={surfaces.url("trust", "/levels")}
        recovery={recovery}
        log={log.entries}
        refused={refused}
      >
        <RecordDocuments
          record={record.hash}
          documents={list}
          now={clock()}
          open={record.row.replaced_by === null}
          refused={refusedDocument}
        />
        <RecordPayments payments={paid} />
      </RecordDetailsPage>
    </ConsoleFrame>,
    { status },
  );
}
