/** The search of a console over pages, accounts, records, issuers, documents, payments and mail. */
import type { Treasury } from "../bank/mod.ts";
import { maskEmail } from "../contact/mod.ts";
import {
  formatMoney,
  paymentPath,
  type Payments,
  STATUS_LABELS,
  statusOf,
} from "../payments/mod.ts";
import type { Inbox } from "../inbox/mod.ts";
import { listRecords, type RecordList, searchIssue } from "../records/mod.ts";
import type { ContactIndex } from "../contact/mod.ts";
import type { OrganisationKey, Surface } from "../../platform/surfaces/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { normaliseEmail } from "../../base/email.ts";
import { fold } from "../../base/fold.ts";
import { fingerprintsOf } from "../../platform/mail/mod.ts";
import type { Schedule } from "../../base/schedule.ts";
import { formatDay, plural } from "../../base/time.ts";
import { formatDocumentId } from "../documents/mod.ts";
import { issuerPath, type IssuerRow, type Issuers } from "../issuers/mod.ts";
import type { Issuing } from "../issuing/mod.ts";
import { accountPath } from "../bank/mod.ts";
import { enquiryPath } from "../inbox/mod.ts";
import { issuedPath } from "../issuing/mod.ts";
import { dollars, nameOf } from "../bank/mod.ts";
import type { Layer } from "../operators/mod.ts";
import { mailPath, readMailsTo } from "../mail_reports/mod.ts";
import { consolePages, findPages } from "./pages.ts";
import type { ResultGroup, SearchHit, SearchResults } from "./search_results.ts";

/**
 * The search ends after this time, with what it has found. Typing on aborts it, so it may take longer
 * than a page.
 */
const SEARCH_LIMIT_MS = 2_500;
const MAX_RESULTS = 6;
/** How many records are found, because only some have enquiries that wait. */
const MAX_RECORDS = 30;
/** The shortest text that is searched for. Shorter ones find only pages. */
const MIN_LENGTH = 2;

/** The services whose objects are searched. */
interface Searched {
  treasuries: Record<OrganisationKey, Treasury>;
  payments: Payments;
  inbox: Pick<Inbox, "waitingOf">;
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  contactIndex: ContactIndex;
  issuers: Pick<Issuers, "list">;
  issuing: Pick<Issuing, "find">;
  schedule: Schedule;
}

interface Found {
  results: SearchHit[];
  complete: boolean;
}

interface ConsoleSearch {
  surface: Surface;
  layer: Layer;
  text: string;
  /** Ends the search, for example when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Searches the pages of a console that a layer may see, and for L1 the accounts, the records, their
 * enquiries that wait, the issuers, their documents, the payments and the mails to an address of its organisation.
 * The text is not stored or logged.
 *
 * @example
 * ```ts
 * const found = await searchConsole(services, { surface, layer, text: "1a2b", signal: req.signal });
 * ```
 */
export async function searchConsole(
  services: Searched,
  { surface, layer, text, signal }: ConsoleSearch,
): Promise<SearchResults> {
  const pages = consolePages(layer, surface).flatMap(({ pages }) => pages);
  const groups: ResultGroup[] = [{ title: "Pages", results: findPages(pages, text) }];
  const incomplete: string[] = [];
  if (layer === "L1" && text.length >= MIN_LENGTH) {
    const limit = new AbortController();
    const cancel = services.schedule(() => limit.abort(), SEARCH_LIMIT_MS);
    const ended = AbortSignal.any([signal, limit.signal]);
    const cutOff = whenAborted(ended, { results: [], complete: false });
    const search = async (title: string, found: Promise<Found>) => ({
      title,
      ...await Promise.race([found, cutOff]),
    });
    const { organisation } = surface;
    const records = findRecords(services, organisation, text);
    const issuers = services.issuers.list(organisation);
    const searches = await Promise.all([
      search("Accounts", findAccounts(services, surface, text)),
      search("Records", records.then(recordHits)),
      search("Enquiries", records.then(enquiryHits)),
      search("Issuers", issuers.then((rows) => findIssuers(rows, text))),
      search("Documents", findDocuments(services, { organisation, issuers }, text)),
      search("Payments", findPayments(services, surface, text)),
      search("Mail", findMail(services, organisation, text)),
    ]).finally(cancel);
    for (const { title, results, complete } of searches) {
      groups.push({ title, results });
      if (!complete) incomplete.push(title);
    }
  }
  return { groups: groups.filter(({ results }) => results.length > 0), incomplete };
}

const whenAborted = <Value>(signal: AbortSignal, value: Value): Promise<Value> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(value);
    signal.addEventListener("abort", () => resolve(value), { once: true });
  });

async function findAccounts(
  { treasuries }: Searched,
  { organisation, serves }: Surface,
  text: string,
): Promise<Found> {
  const { accounts } = await treasuries[organisation].accounts();
  const words = text.toLowerCase().split(/\s+/);
  const found = accounts.filter((account) => {
    const { kind, last4 } = account;
    const about = `${nameOf(account)} ${kind} ${last4}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
  const results = found.slice(0, MAX_RESULTS).map((account) => {
    const path = accountPath(account.id);
    const { last4, balance, status } = account;
    return {
      href: status === "active" && account.id !== "" && serves(path) ? path : "/console/finance",
      title: nameOf(account),
      detail: `${last4 === "" ? "" : `••${last4} · `}${dollars(balance)}`,
    };
  });
  return { results, complete: true };
}

interface FoundRecords extends Pick<RecordList, "records" | "readTo" | "next"> {
  /** The hashes of records whose enquiries wait. */
  waiting: string[];
}

type FoundRecord = FoundRecords["records"][number];

/** Finds records, and reads at the same time which of their enquiries wait. */
async function findRecords(
  { kv, contactIndex: index, inbox }: Searched,
  organisation: OrganisationKey,
  text: string,
): Promise<FoundRecords> {
  if (searchIssue(text) !== null) return { records: [], readTo: null, next: null, waiting: [] };
  const reading: Promise<string[]>[] = [];
  const onRead = (hashes: readonly string[]) => {
    const waiting = inbox.waitingOf(hashes);
    waiting.catch(() => {}); // the records may fail first
    reading.push(waiting);
  };
  const query = { text, limit: MAX_RECORDS };
  const { records, readTo, next } = await listRecords({ kv, index, onRead }, organisation, query);
  return { records, readTo, next, waiting: (await Promise.all(reading)).flat() };
}

const recordHits = ({ records, readTo }: FoundRecords): Found => ({
  results: records.slice(0, MAX_RESULTS).map((found) => ({
    href: `/console/records/${found.hash}`,
    title: `Record ${found.hash.slice(0, 8)}…`,
    detail: detailOf(found),
  })),
  complete: readTo === null,
});

const detailOf = ({ contact: { value: { record, registered_at } } }: FoundRecord): string =>
  [record.name, record.organisation ?? maskEmail(record.email), formatDay(registered_at)]
    .join(" · ");

/** Records that were not read may have enquiries that wait: anybody can send many with one name. */
const enquiryHits = ({ records, next, waiting }: FoundRecords): Found => ({
  results: records.filter(({ hash }) => waiting.includes(hash)).slice(0, MAX_RESULTS).map((
    found,
  ) => ({
    href: enquiryPath(found.hash),
    title: `Enquiry ${found.hash.slice(0, 8)}…`,
    detail: detailOf(found),
  })),
  complete: next === null,
});

function findIssuers(issuers: readonly IssuerRow[], text: string): Found {
  const words = fold(text).split(/\s+/);
  const found = issuers.filter(({ name, domain }) => {
    const about = fold(`${name} ${domain?.name ?? ""}`);
    return words.every((word) => about.includes(word));
  });
  const results = found.slice(0, MAX_RESULTS).map(({ id, name, domain }) => ({
    href: issuerPath(id),
    title: name,
    detail: domain?.name,
  }));
  return { results, complete: true };
}

async function findDocuments(
  { issuing }: Searched,
  { organisation, issuers }: { organisation: OrganisationKey; issuers: Promise<IssuerRow[]> },
  text: string,
): Promise<Found> {
  const known = async () => (await issuers).map(({ id }) => id);
  const where = { organisation, issuers: known };
  const { page, cut } = await issuing.find.inOrganisation(where, text, MAX_RESULTS);
  const results = page.map(({ document }) => ({
    href: issuedPath(document),
    title: `Document ${formatDocumentId(document.id)}`,
    detail: [document.named, document.title, document.issuer.name].filter(Boolean).join(" · "),
  }));
  return { results, complete: !cut };
}

async function findPayments(
  services: Searched,
  { organisation }: Surface,
  text: string,
): Promise<Found> {
  const { payments, complete } = await services.payments.find(organisation, text, MAX_RESULTS);
  const results = payments.map((payment) => {
    const { amount, currency, created_at, description, id } = payment;
    const label = STATUS_LABELS[statusOf(payment)];
    return {
      href: paymentPath(id),
      title: `${formatMoney(amount, currency)} ${currency}`,
      detail: `${description ?? id} · ${label} · ${formatDay(created_at)}`,
    };
  });
  return { results, complete };
}

/** Finds the mails to an address, if the text is one. */
async function findMail(
  services: Searched,
  organisation: OrganisationKey,
  text: string,
): Promise<Found> {
  const email = normaliseEmail(text);
  if (email === null) return { results: [], complete: true };
  const fingerprints = await fingerprintsOf(services.secrets, email);
  const { mails, stopped } = await readMailsTo(services, organisation, fingerprints);
  if (mails.length === 0) return { results: [], complete: true };
  const hit = {
    href: await mailPath(services.secrets, email),
    title: "Mail to this address",
    detail: plural(mails.length, "email") + (stopped === "all" ? " · none goes there now" : ""),
  };
  return { results: [hit], complete: true };
}
