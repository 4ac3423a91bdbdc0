/** The page “My record”: reads everything about a record for its holder and lays it out. */
import type { Context } from "fresh";
import type { ComponentChildren } from "preact";
import type { ChainPage } from "../../lib/features/chain/mod.ts";
import { KEYS_PATH } from "../../packages/proof/mod.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { contactUrls, ownerOf } from "../../lib/features/contact/mod.ts";
import type {
  AccessRequest,
  DocumentRow,
  PartiesOf,
  Share,
} from "../../lib/features/documents/mod.ts";
import { readAccessLog, type RecordEntry } from "../../lib/features/records/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { readResult, type ShownResult } from "../../lib/platform/http/action_result.ts";
import { ActionResult } from "../ActionResult.tsx";
import { browserKeyOf } from "../../lib/features/push/app/mod.ts";
import type { PageLog } from "../chain/browser_trust.ts";
import { pageLog } from "../chain/page_log.ts";
import { OwnDocumentsSection } from "../documents/OwnDocuments.tsx";
import { RequestsNote, RequestsSection } from "../documents/AccessRequests.tsx";
import type { HolderReply } from "../../lib/features/inbox/mod.ts";
import { RepliesSection } from "./RepliesSection.tsx";
import { KeptQrCode } from "../KeptQrCode.tsx";
import { RecordApp } from "../push/app/RecordApp.tsx";
import { describeRecords } from "./describe_records.ts";
import { LevelCard } from "./LevelCard.tsx";
import { LiveFeed } from "./LiveFeed.tsx";
import { NotInForce, Replaced } from "./RecordBanners.tsx";
import { RecordChoices } from "./RecordChoices.tsx";
import type { DescribedRecord } from "./RecordDescription.tsx";
import { RecordFeed } from "./RecordFeed.tsx";
import { recordParts, type RecordPartsData } from "./record_parts.tsx";
import { RecordFrame } from "../RecordFrame.tsx";
import { groupsOf, RecordHash } from "../RecordHash.tsx";
import { Section } from "../Section.tsx";
import { Time } from "../Time.tsx";

interface RecordPageProps extends RecordPartsData {
  state: State;
  record: RecordEntry;
  /** The newest events. */
  chain: ChainPage;
  documents: readonly DocumentRow[];
  partiesOf: PartiesOf;
  /** The links with which the holder shares them. */
  shares: readonly Share[];
  /** The replies to the enquiry, oldest first. */
  replies: readonly HolderReply[];
  /** The requests for access to the record's documents; null if it has none. */
  requests: readonly AccessRequest[] | null;
  /** Every record that this sign-in opens. */
  choices: RecordEntry[];
  /** Those among them that the holder can switch to. */
  others: readonly DescribedRecord[];
  /** The id of the issuer whose later documents the holder has just ended; null if there is none. */
  endedIssuer: string | null;
  /** The publisher's log. */
  publicLog: PageLog | null;
}

const LOG_ENTRIES = 5;
/** The id of the element with the feed. */
const FEED_PLACE = "feed";

/** Renders the home of a record's holder. */
export async function renderRecordPage(
  ctx: Context<State>,
  record: RecordEntry,
  { headers, choices }: { headers: Record<string, string>; choices: RecordEntry[] },
): Promise<Response> {
  const { state, url } = ctx;
  const { services, surface } = state;
  const { hash } = record;
  const ofRecord = services.documents.list(hash);
  const [
    chain,
    passkeys,
    number,
    correction,
    keys,
    push,
    agents,
    issuers,
    log,
    requests,
    { documents, partiesOf },
    shares,
    publicLog,
    others,
    replies,
    done,
  ] = await Promise.all([
    services.chains.page(hash, { limit: CONFIG.CHAIN_PREVIEW_COUNT }),
    services.records.passkeys.list(record, surface),
    services.codes.numberOf(record),
    services.records.correction.waiting(record),
    services.records.keys.read(hash),
    services.push.overview(hash),
    services.oauth.agents.list(hash),
    services.issuing.laterDocuments.issuersOf(hash),
    readAccessLog(services.kv, hash, services.clock(), { limit: LOG_ENTRIES }),
    services.access.list(hash, ofRecord),
    readDocuments(services, ofRecord),
    services.shares.list(hash, ofRecord),
    pageLog(state),
    describeRecords(state, othersOf(record, choices)),
    services.inbox.repliesTo(hash),
    readResult(services, hash, url),
  ]);
  const page = (
    <RecordPage
      {...{
        state,
        publicLog,
        record,
        passkeys,
        number,
        keys,
        push,
        agents,
        issuers,
        others,
        documents,
        partiesOf,
        shares,
        replies,
        log,
        choices,
      }}
      chain={chain!}
      endedIssuer={done?.done === "end_issuer" ? done.of : null}
      passkeyDone={url.searchParams.get("passkey")}
      waiting={correction?.waitsFor ?? null}
      requests={documents.length + requests.length > 0 ? requests : null}
    />
  );
  return await ctx.render(page, { headers });
}

/** Returns the documents of a record with the issuers of all of them. */
async function readDocuments(
  { documentParties }: State["services"],
  documents: Promise<DocumentRow[]>,
) {
  const rows = await documents;
  return { documents: rows, partiesOf: await documentParties.of(rows) };
}

/** Returns what the holder's page says after it has ended an issuer's later documents. */
function endedResult(issuer: string, documents: readonly DocumentRow[]): ShownResult {
  const name = documents.find((document) => document.issuer.id === issuer)?.issuer.name;
  return {
    title: `${name ?? "The issuer"} no longer adds documents`,
    text: "Its next document will wait for you to accept it. Documents in your record stay.",
  };
}

function RecordPage({
  state,
  record,
  chain,
  documents,
  partiesOf,
  shares,
  requests,
  choices,
  others,
  endedIssuer,
  publicLog,
  replies,
  ...rest
}: RecordPageProps) {
  const { config } = state.services;
  const urls = contactUrls(state.surface, state.services);
  const { hash, contact: { value: contact } } = record;
  const { name: organisation, contactEmail } = config.organisations[ownerOf(contact)];
  const corrects = choices.find(({ row }) => row.correction?.to === hash);
  const inForce = record.row.replaced_by === null && corrects === undefined;
  const parts = recordParts({
    record,
    organisation,
    inForce,
    isCorrection: corrects !== undefined,
    ...rest,
    vapid: browserKeyOf(config),
  });
  const verifyUrl = urls?.verify(hash) ?? `${state.surface.baseUrl}/verify?hash=${hash}`;
  const feed = {
    events: chain.events,
    chainUrl: urls?.chain(hash) ?? null,
    verifyUrl,
    olderUrl: `${verifyUrl}&before=${chain.events[0].seq}`,
  };
  return (
    <RecordFrame title={`My record ${hash.slice(0, 8)}`} styles="record_home" wide>
      {endedIssuer !== null && rest.issuers.every(({ id }) => id !== endedIssuer) && (
        <ActionResult result={endedResult(endedIssuer, documents)} action="/my-record/issuers" />
      )}
      <RecordHead {...{ record, organisation, others }} />
      {record.row.replaced_by && (
        <Replaced
          by={record.row.replaced_by}
          canOpen={choices.some(({ hash }) => hash === record.row.replaced_by)}
        />
      )}
      {requests !== null && <RequestsNote requests={requests} />}
      {corrects && <NotInForce previous={corrects.hash} />}
      <SectionLinks
        links={[
          { id: "level", name: "Level" },
          { id: "documents", name: "Documents" },
          ...requests === null ? [] : [{ id: "requests", name: "Requests" }],
          ...replies.length === 0 ? [] : [{ id: "replies", name: "Replies" }],
          ...others.length === 0 ? [] : [{ id: "records", name: "Other records" }],
          { id: "chain", name: "Chain" },
          { id: "settings", name: "Settings" },
        ]}
      />
      <div class="record-first stack top gap-5-6 block-print">
        <div class="stack gap-5">
          <LevelCard
            record={record}
            publisher={organisation}
            email={contactEmail}
            inForce={inForce}
            hasKey={rest.keys.current !== null}
            hasNumber={rest.number.state === "unconfirmed"}
          />
          <OwnDocumentsSection
            documents={documents}
            shares={shares}
            now={state.services.clock()}
            partiesOf={partiesOf}
          />
          {requests !== null && <RequestsSection requests={requests} />}
          {replies.length > 0 && <RepliesSection {...{ organisation, replies }} />}
          {others.length > 0 && (
            <Section
              id="records"
              title="Your other records"
              lead="Your sign-in opens these too. Only one is open at a time."
            >
              <RecordChoices records={others} state={state} />
            </Section>
          )}
        </div>
        <div class="stack gap-5" id="chain">
          <HashCard hash={hash} verifyUrl={verifyUrl}>
            {urls !== null && (
              <RecordApp
                installable={config.recordApp}
                record={{
                  hash,
                  tip: chain.head.tip,
                  size: chain.head.size,
                  chainUrl: urls.chain(hash),
                  publisher: state.services.chains.publisher,
                  keysUrl: KEYS_PATH,
                  log: publicLog,
                }}
              />
            )}
          </HashCard>
          <div class="record-chain round ink" id={FEED_PLACE}>
            <RecordFeed {...feed} />
          </div>
          <LiveFeed place={FEED_PLACE} feed={feed} />
        </div>
      </div>
      <div class="record-parts" id="settings">
        <h2 class="text-large">Data and settings</h2>
        {parts}
      </div>
    </RecordFrame>
  );
}

/** Returns the records that the holder can switch to. */
const othersOf = ({ hash }: RecordEntry, choices: readonly RecordEntry[]): RecordEntry[] =>
  choices.filter((each) => each.hash !== hash && each.row.replaced_by === null);

/** Links to the parts of the page, which stay in view. */
const SectionLinks = ({ links }: { links: readonly { id: string; name: string }[] }) => (
  <nav class="record-links below-5 screen-only" aria-label="Sections">
    <ul class="plain flex text-small">
      {links.map(({ id, name }) => (
        <li key={id}>
          <a class="block muted" href={`#${id}`}>{name}</a>
        </li>
      ))}
    </ul>
  </nav>
);

function RecordHead({ record, organisation, others }: {
  record: RecordEntry;
  organisation: string;
  others: readonly DescribedRecord[];
}) {
  const { contact: { value: contact }, row } = record;
  return (
    <header class="record-head stack gap-2-4 middle below-5">
      <h1>My record</h1>
      <p class="muted">
        Registered with {organisation} on{" "}
        <span class="nowrap">
          <Time at={contact.registered_at} day />
        </span>
        {row.replaces !== null && (
          <>
            , to correct <code>{groupsOf(row.replaces.slice(0, 8)).join(" ")} …</code>
          </>
        )}
        {others.length > 0 && (
          <>
            {" · "}
            <a href="#records">Switch record</a>
          </>
        )}
      </p>
      <form method="post" action="/my-record/sign-out">
        <button type="submit" class="button small">Sign out</button>
      </form>
    </header>
  );
}

const HashCard = (
  { hash, verifyUrl, children }: { hash: string; verifyUrl: string; children: ComponentChildren },
) => (
  <section class="box record-card hash-card flex column" aria-labelledby="hash-title">
    <h2 class="text-large" id="hash-title">Record hash</h2>
    <div class="hash-and-code stack apart top">
      <RecordHash hash={hash} />
      <a class="qr-link block" href={verifyUrl}>
        <KeptQrCode text={verifyUrl} label="QR code: verify this record" />
      </a>
    </div>
    <p class="muted">
      It reveals nothing about you. <a href={verifyUrl}>Verify the chain</a>
    </p>
    {children}
  </section>
);
