/** The page on which the recipient of issued documents accepts them, in all states of the mailed link. */
import type { ComponentChildren } from "preact";
import type { State } from "../../lib/app/state.ts";
import { maskEmail } from "../../lib/features/contact/receipt.ts";
import {
  currentVersion,
  documentPath,
  type DocumentRow,
  formatDocumentId,
  issuedBy,
  latestVersion,
  type PartiesOf,
} from "../../lib/features/documents/mod.ts";
import {
  type AcceptLink,
  type Offer,
  type OpenedOffer,
  WAITING_MS,
} from "../../lib/features/issuing/mod.ts";
import { DAY_MS, formatDay, plural } from "../../lib/base/time.ts";
import { describeStatus, STATUS_WORDS } from "../documents/texts.ts";
import { OpenRecord } from "../OpenRecord.tsx";
import type { DescribedRecord } from "../records/RecordDescription.tsx";
import { MailedLinkPage } from "../MailedLinkPage.tsx";
import { Answer, OfferWays } from "./OfferWays.tsx";
import type { BesidePart } from "../RecordFrame.tsx";

const EYEBROW = "Issued documents";

const BEFORE: readonly BesidePart[] = [
  {
    title: "One record for all",
    text:
      "A record holds the documents of every issuer, with one level and one key. If you have one, sign in and " +
      "add the document there. You never need a password.",
  },
  {
    title: "Later documents",
    text: "Documents that this issuer later issues to your address go straight to the same " +
      "record. You can end that on the record’s page.",
  },
  {
    title: "What others see",
    text:
      "Whoever has a document can check that it is registered. The public page of a document and the " +
      "check never show your name or address.",
  },
  {
    title: "If you do nothing",
    text:
      `The documents can be checked. After ${
        plural(WAITING_MS / DAY_MS, "day")
      } we erase your name, ` +
      "your address and the files.",
  },
];

const AFTER: readonly BesidePart[] = [
  {
    title: "Show a document to somebody",
    text: "Share it by link or code. You see who opened it, and can end it.",
  },
  {
    title: "Next time",
    text: "Enter your address at My record. We email you a link that signs you in.",
  },
];

interface AcceptPageProps {
  state: State;
  link: AcceptLink;
  offer: OpenedOffer;
  partiesOf: PartiesOf;
  /** The records that the browser is signed in to, and that can get the documents. */
  own: readonly DescribedRecord[];
  /** The browser's access to the record of accepted documents: it is open, may be opened, or neither. */
  access: "open" | "closed" | "none";
  /** Why the last action did nothing. */
  problem?: string;
}

/** The page behind the link in the mail about an issued document. */
export function AcceptPage(props: AcceptPageProps) {
  const { offer } = props;
  if (!offer.ok) {
    return (
      <MailedLinkPage state="other" eyebrow={EYEBROW}>
        <p class="lead">
          Part of the link may be missing, or the documents that it led to were erased. Open the
          link in the email again.
        </p>
      </MailedLinkPage>
    );
  }
  const { recipient, documents } = offer;
  const issuer = documents.at(-1)?.issuer.name ?? "The issuer";
  switch (recipient.state) {
    case "waiting":
      return <Open {...props} {...{ issuer, offer }} />;
    case "accepted":
      return <AcceptedOffer {...props} {...{ issuer, offer }} />;
    case "refused":
      return (
        <MailedLinkPage state="used" title="Thank you for telling us" eyebrow={EYEBROW}>
          <p class="lead">
            Your address, the name and the files are erased here, and {issuer}{" "}
            learns that the address was wrong. We do not email you for {issuer} again for{" "}
            {plural(WAITING_MS / DAY_MS, "day")}.
          </p>
        </MailedLinkPage>
      );
    case "lapsed":
      return (
        <MailedLinkPage state="expired" title="This offer has ended" eyebrow={EYEBROW}>
          <p class="lead">
            Nobody accepted within{" "}
            {plural(WAITING_MS / DAY_MS, "day")}, so the name, the address and the files were erased
            here. Ask {issuer} to issue the document again.
          </p>
        </MailedLinkPage>
      );
  }
}

const USED = "This link has already been used. To open your record, sign in.";
const OTHER =
  "It is a separate record, which you open with the address that we emailed. The record that " +
  "is open in this browser stays open.";

type OfferProps = AcceptPageProps & { issuer: string; offer: Offer };

function AcceptedOffer({ state, issuer, offer, partiesOf, access }: OfferProps) {
  const { recipient: { record }, documents } = offer;
  return (
    <MailedLinkPage state="used" title="You have accepted" eyebrow={EYEBROW} beside={AFTER}>
      <p class="lead">
        {documents.length === 1 ? "The document is" : "The documents are"}{" "}
        in your record, and later documents from {issuer} will be too.
      </p>
      {/* Whoever reads an old mailbox must not see the titles of later documents. */}
      {access === "none"
        ? <p>{state.holder === null ? USED : OTHER}</p>
        : (
          <Documents {...{ documents, partiesOf, state }}>
            {({ id, title }) =>
              access === "open"
                ? (
                  <span class="actions">
                    <a class="button" href={`/d/${id}`} aria-label={`Look at it: ${title}`}>
                      Look at it
                    </a>
                    <a
                      class="button"
                      href={`/my-record/share?document=${id}`}
                      aria-label={`Share it: ${title}`}
                    >
                      Share it
                    </a>
                  </span>
                )
                : null}
          </Documents>
        )}
      {access === "closed"
        ? (
          <>
            <p>
              It is a separate record. The one that was open in this browser still is, and you can
              switch at any time.
            </p>
            <OpenRecord record={record!} text="Open the record of the document" />
          </>
        )
        : (
          <p class="actions">
            {access === "none" && state.holder !== null
              ? <a class="button" href="/my-record?sign-in=1">Sign in to the other record</a>
              : <a class="button primary" href="/my-record">Open my record</a>}
          </p>
        )}
    </MailedLinkPage>
  );
}

function Open({ state, link, issuer, offer, partiesOf, own, problem }: OfferProps) {
  const { recipient, documents } = offer;
  const names = [...new Set(documents.map(({ named }) => named ?? recipient.name))];
  const what = documents.length === 1 ? "a document" : `${documents.length} documents`;
  const isOffered = documents.some((document) => currentVersion(document) !== null);
  return (
    <MailedLinkPage
      state="open"
      title={isOffered
        ? `${issuer} has issued ${what} to you`
        : documents.length === 1
        ? `A document of ${issuer} was withdrawn`
        : `${documents.length} documents of ${issuer} were withdrawn`}
      eyebrow={EYEBROW}
      beside={BEFORE}
    >
      <p class="lead">
        {documents.length === 1 ? "It is" : "They are"} for <strong>{names.join(", ")}</strong>, at
        {" "}
        {maskEmail(recipient.email ?? "")}.
      </p>
      {problem !== undefined && <p class="note" role="alert">{problem}</p>}
      <Documents {...{ documents, partiesOf, state }}>
        {({ id, title }) => (
          <Answer {...{ link }} act="look" document={id}>
            <button type="submit" class="button small" aria-label={`View: ${title}`}>
              View
            </button>
          </Answer>
        )}
      </Documents>
      {isOffered
        ? <OfferWays {...{ state, link, own }} it={documents.length === 1 ? "it" : "them"} />
        : (
          <p class="above-4">
            You cannot accept {documents.length === 1 ? "it" : "them"} any more. Ask {issuer}{" "}
            if you have a question.
          </p>
        )}
      {isOffered && <p class="muted">You have until {formatDay(recipient.due_at!)}.</p>}
      <details>
        <summary>This is not me</summary>
        <Answer {...{ link }} act="refuse">
          <p>
            We erase the name, the address and the files here, and tell {issuer}{" "}
            that the address is wrong. This can’t be undone.
          </p>
          <button type="submit" class="button danger">This is not me</button>
        </Answer>
      </details>
    </MailedLinkPage>
  );
}

const Documents = ({ documents, partiesOf, state, children }: {
  documents: readonly DocumentRow[];
  partiesOf: PartiesOf;
  state: State;
  /** Returns the actions on a document. */
  children: (document: DocumentRow) => ComponentChildren;
}) => (
  <ul class="document-list">
    {documents.map((document) => {
      const version = latestVersion(document);
      const parties = partiesOf(document);
      const { status, text } = describeStatus(document, version, parties, state.services.clock());
      return (
        <li key={document.id} class="stack gap-1 pad-top-4 ruled anywhere">
          <strong>{document.title}</strong>
          <span>{issuedBy(parties)}</span>
          <span class="muted">
            {document.kind}
            {document.date && `, ${formatDay(document.date)}`} · number{" "}
            <a href={documentPath(document.id)}>{formatDocumentId(document.id)}</a>
            {status !== "current" && status !== "withdrawn" && ` · ${STATUS_WORDS[status]}`}
          </span>
          {status === "withdrawn" && (
            <p class="flush">
              <strong>{text}</strong>
              {version.withdrawn_reason !== undefined &&
                ` The reason given: ${version.withdrawn_reason}`}
            </p>
          )}
          {children(document)}
        </li>
      );
    })}
  </ul>
);
