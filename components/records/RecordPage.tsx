import type { Context } from "fresh";
import type { ChainPage } from "../../lib/features/chain/store/mod.ts";
import { KEYS_PATH } from "../../lib/features/chain/mod.ts";
import { CONFIG } from "../../lib/features/contact/config.ts";
import { contactUrls, ownerOf } from "../../lib/features/contact/mod.ts";
import type { NumberView } from "../../lib/features/codes/mod.ts";
import type { AccessRequest, DocumentRow } from "../../lib/features/documents/mod.ts";
import {
  type AccessEntry,
  KEY_LEVEL,
  type KeyOverview,
  readAccessLog,
  type RecordEntry,
  type Waiting,
} from "../../lib/features/records/mod.ts";
import type { Grant } from "../../lib/features/oauth/mod.ts";
import type { State } from "../../lib/app/state.ts";
import type { PasskeyList } from "../../lib/features/passkeys/mod.ts";
import type { PushOverview } from "../../lib/features/push/mod.ts";
import { browserKeyOf } from "../../lib/features/record_app/mod.ts";
import { AgentsSection } from "../oauth/AgentsSection.tsx";
import { OwnDocumentsSection } from "../documents/OwnDocuments.tsx";
import { RequestsNote, RequestsSection } from "../documents/AccessRequests.tsx";
import { PasskeysSection } from "../passkeys/PasskeysSection.tsx";
import { NotificationsSection } from "../push/NotificationsSection.tsx";
import { QrCode } from "../QrCode.tsx";
import { AccessLogSection } from "./AccessLog.tsx";
import { RecordApp } from "../record_app/RecordApp.tsx";
import { NumberSection } from "../codes/NumberSection.tsx";
import { ContactSection } from "./CorrectPage.tsx";
import { DeclarationSection } from "./DeclarationPage.tsx";
import { KeySection } from "./KeySection.tsx";
import { LevelCard } from "./LevelCard.tsx";
import { NotInForce, Replaced } from "./RecordBanners.tsx";
import { RecordFeed } from "./RecordFeed.tsx";
import { RecordFrame } from "../RecordFrame.tsx";
import { groupsOf, RecordHash } from "../RecordHash.tsx";
import { Section } from "../Section.tsx";
import { Time } from "../Time.tsx";

interface RecordPageProps {
  state: State;
  record: RecordEntry;
  /** The newest events. */
  chain: ChainPage;
  passkeys: PasskeyList;
  /** The action on a passkey that was just completed: the query parameter `passkey`. */
  passkeyDone: string | null;
  number: NumberView;
  /** The confirmation that a correction of the contact data waits for, if there is one. */
  waiting: Waiting | null;
  keys: KeyOverview;
  push: PushOverview;
  agents: readonly Grant[];
  documents: readonly DocumentRow[];
  /** The requests for access to the record's documents; null if it has none. */
  requests: readonly AccessRequest[] | null;
  /** The latest entries of the access log. */
  log: { entries: AccessEntry[]; cursor: string | null };
  /** Every record that this sign-in opens. */
  choices: RecordEntry[];
}

const LOG_ENTRIES = 10;

/** Renders the home of a record's holder. */
export async function renderRecordPage(
  ctx: Context<State>,
  record: RecordEntry,
  { headers, choices }: { headers: Record<string, string>; choices: RecordEntry[] },
): Promise<Response> {
  const { state, url } = ctx;
  const { services, surface } = state;
  const { hash } = record;
  const [chain, passkeys, number, correction, keys, push, agents, log, requests, documents] =
    await Promise.all([
      services.chains.page(hash, { limit: CONFIG.CHAIN_PREVIEW_COUNT }),
      services.passkeys.list(record, surface),
      services.codes.numberOf(record),
      services.records.correction.waiting(record),
      services.records.keys.read(hash),
      services.push.overview(hash),
      services.oauth.agents.list(hash),
      readAccessLog(services.kv, hash, services.clock(), { limit: LOG_ENTRIES }),
      services.access.list(hash),
      services.documents.list(hash),
    ]);
  const page = (
    <RecordPage
      {...{ state, record, passkeys, number, keys, push, agents, documents, log, choices }}
      chain={chain!}
      passkeyDone={url.searchParams.get("passkey")}
      waiting={correction?.waitsFor ?? null}
      requests={documents.length + requests.length > 0 ? requests : null}
    />
  );
  return await ctx.render(page, { headers });
}

function RecordPage(
  {
    state,
    record,
    chain,
    passkeys,
    passkeyDone,
    number,
    waiting,
    keys,
    push,
    agents,
    documents,
    requests,
    log,
    choices,
  }: RecordPageProps,
) {
  const { config } = state.services;
  const urls = contactUrls(state.surface, state.services);
  const { hash, contact: { value: contact } } = record;
  const { name: organisation, contactEmail } = config.organisations[ownerOf(contact)];
  const corrects = choices.find(({ row }) => row.correction?.to === hash);
  const inForce = record.row.replaced_by === null && corrects === undefined;
  const verifyUrl = urls?.verify(hash) ?? `${state.surface.baseUrl}/verify?hash=${hash}`;
  return (
    <RecordFrame title={`My record ${hash.slice(0, 8)}`} wide>
      {config.recordApp && urls !== null && (
        <RecordApp
          record={{
            hash,
            tip: chain.head.tip,
            size: chain.head.size,
            chainUrl: urls.chain(hash),
            publisher: state.services.chains.publisher,
            keysUrl: KEYS_PATH,
          }}
        />
      )}
      <RecordHead {...{ record, organisation, choices }} />
      {record.row.replaced_by && (
        <Replaced
          by={record.row.replaced_by}
          canOpen={choices.some(({ hash }) => hash === record.row.replaced_by)}
        />
      )}
      {requests !== null && <RequestsNote requests={requests} />}
      {corrects && <NotInForce previous={corrects.hash} />}
      <div class="record-cards gap-5 below-5 one-column-960 block-print">
        <LevelCard
          record={record}
          publisher={organisation}
          email={contactEmail}
          inForce={inForce}
          hasKey={keys.current !== null}
          hasNumber={number.state === "unconfirmed"}
        />
        <HashCard hash={hash} verifyUrl={verifyUrl} />
      </div>
      <div class="record-chain below-6 round ink" id="chain">
        <RecordFeed
          events={chain.events}
          chainUrl={urls?.chain(hash) ?? null}
          verifyUrl={verifyUrl}
          olderUrl={`${verifyUrl}&before=${chain.events[0].seq}`}
        />
      </div>
      <ContactSection
        enquiry={contact.record}
        organisation={organisation}
        registeredAt={contact.registered_at}
        waiting={waiting}
        correctable={record.row.replaced_by === null}
      />
      {inForce && (
        <>
          <DeclarationSection declarations={contact.declarations ?? []} />
          <PasskeysSection list={passkeys} done={passkeyDone} />
          <Section id="number" title="Mobile number" lead="A second way to sign in, with a code.">
            <NumberSection view={number} />
          </Section>
          <KeySection keys={keys} mayIssue={record.row.level >= KEY_LEVEL} />
          <NotificationsSection overview={push} hash={hash} vapid={browserKeyOf(config)} />
          <AgentsSection agents={agents} />
        </>
      )}
      {documents.length > 0 && (
        <OwnDocumentsSection
          documents={documents}
          now={state.services.clock()}
          organisations={config.organisations}
        />
      )}
      {requests !== null && <RequestsSection requests={requests} />}
      <AccessLogSection entries={log.entries} more={log.cursor !== null} />
      {corrects === undefined && <DataSection />}
      <SessionsSection />
    </RecordFrame>
  );
}

function RecordHead({ record, organisation, choices }: {
  record: RecordEntry;
  organisation: string;
  choices: RecordEntry[];
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
        {choices.length > 1 && (
          <>
            {" · "}
            <a href="/my-record?choose=1">Switch record</a>
          </>
        )}
      </p>
      <form method="post" action="/my-record/sign-out">
        <button type="submit" class="button small">Sign out</button>
      </form>
    </header>
  );
}

const HashCard = ({ hash, verifyUrl }: { hash: string; verifyUrl: string }) => (
  <section class="box record-card hash-card flex column" aria-labelledby="hash-title">
    <h2 class="text-large" id="hash-title">Record hash</h2>
    <div class="hash-and-code stack apart top">
      <RecordHash hash={hash} />
      <a class="qr-link block" href={verifyUrl}>
        <QrCode text={verifyUrl} label="QR code: verify this record" />
      </a>
    </div>
    <p class="muted">
      Anyone who has the hash can{" "}
      <a href={verifyUrl}>verify the chain</a>. It reveals nothing about you.
    </p>
  </section>
);

const DataSection = () => (
  <Section id="data" title="Your data" lead="Take it with you, or delete it.">
    <p class="actions">
      <a class="button small" href="/my-record/download.json">Download everything</a>
      <a class="button small danger" href="/my-record/delete">Delete this record</a>
    </p>
  </Section>
);

const SessionsSection = () => (
  <Section
    id="sessions"
    title="Sessions"
    lead="A sign-in lasts for 30 days on each device. Signing out everywhere also disconnects all apps and devices, and revokes all access to your documents that was approved within the last 7 days."
  >
    <form method="post" action="/my-record/sign-out">
      <input type="hidden" name="everywhere" value="1" />
      <button type="submit" class="button small">Sign out everywhere</button>
    </form>
  </Section>
);
