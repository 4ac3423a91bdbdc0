import type { Context } from "fresh";
import { ChoosePage } from "../../components/records/ChoosePage.tsx";
import { ClosedRecordPage } from "../../components/records/DeletePage.tsx";
import { withTitles } from "../../components/documents/AccessRequests.tsx";
import { RecordPage } from "../../components/records/RecordPage.tsx";
import { SignInPage } from "../../components/records/SignInPage.tsx";
import { CONFIG } from "../../lib/contact/config.ts";
import { contactUrls, maskEmail } from "../../lib/contact/mod.ts";
import { endpoint } from "../../lib/http/endpoint.ts";
import { RequestError } from "../../lib/http/errors.ts";
import { isRecent, readAccessLog, type RecordEntry } from "../../lib/records/mod.ts";
import { define, type State } from "../../lib/state.ts";

const HEADERS = { "cache-control": "no-store" };
const LOG_ENTRIES = 10;

/**
 * "My record →": the sign-in page, the choice between several records, or the holder's record. Other
 * surfaces redirect to the trust surface.
 */
export const handler = define.handlers(endpoint<State>({
  async GET(ctx) {
    const { holder, services, surface } = ctx.state;
    if (!surface.holders) return redirectToTrust(ctx);
    const again = ctx.url.searchParams.has("again");
    const records = await readAll(ctx);
    const open = records.find(({ hash }) => hash === holder?.record);
    if (records.length === 0 || again) {
      const address = again && open ? maskEmail(open.contact.value.record.email) : undefined;
      const view = { phase: "ask" as const, email: "", again: address };
      return ctx.render(<SignInPage state={ctx.state} view={view} />, { headers: HEADERS });
    }
    if (open === undefined || records.length > 1 && ctx.url.searchParams.has("choose")) {
      const page = <ChoosePage state={ctx.state} records={records} />;
      return ctx.render(page, { headers: HEADERS });
    }
    const page = open.row.deletion_at
      ? <ClosedRecordPage at={open.row.deletion_at} recent={isRecent(holder!, services.clock())} />
      : <RecordPage {...await readPage(ctx, open)} choices={records} />;
    return ctx.render(page, { headers: HEADERS });
  },
}));

/** Reads what the record page shows. */
async function readPage({ state, url }: Context<State>, record: RecordEntry) {
  const { services, surface } = state;
  const { hash } = record;
  const [chain, passkeys, number, correction, keys, log, requests, documents] = await Promise.all([
    services.chains.page(hash, { limit: CONFIG.CHAIN_PREVIEW_COUNT }),
    services.passkeys.list(record, surface),
    services.codes.numberOf(record),
    services.records.correction.waiting(record),
    services.records.keys.read(hash),
    readAccessLog(services.kv, hash, services.clock(), { limit: LOG_ENTRIES }),
    services.access.list(hash),
    services.documents.list(hash),
  ]);
  return {
    state,
    record,
    chain: chain!,
    urls: contactUrls(surface, services),
    passkeys,
    passkeyDone: url.searchParams.get("passkey"),
    number,
    waiting: correction?.waitsFor ?? null,
    keys,
    documents,
    requests: documents.length + requests.length > 0 ? withTitles(requests, documents) : null,
    log,
  };
}

/** Returns the records that the holder's sign-in opens, without those that were deleted. */
async function readAll({ state: { holder, services } }: Context<State>): Promise<RecordEntry[]> {
  const read = await Promise.all(
    (holder?.choices ?? []).map((hash) => services.records.read(hash)),
  );
  return read.filter((record) => record !== null);
}

function redirectToTrust({ state: { services } }: Context<State>): Response {
  const url = services.surfaces.url("trust", "/my-record");
  if (url === null) throw new RequestError(404, "Records cannot be opened here.");
  return new Response(null, { status: 302, headers: { location: url } });
}
