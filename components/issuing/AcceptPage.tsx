import type { State } from "../../lib/app/state.ts";
import { maskEmail } from "../../lib/features/contact/receipt.ts";
import {
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
import { LinkFields, MailedLinkPage } from "../MailedLinkPage.tsx";
import type { BesidePart } from "../RecordFrame.tsx";

const EYEBROW = "Issued documents";

const BEFORE: readonly BesidePart[] = [
  {
    title: "What accepting does",
    text:
      "It registers a record for you, puts the documents into it, and opens it in this browser. You " +
      "never need a password.",
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
    text:
      "Open it at My record and share it by link or code. You see who opened it, and can end it.",
  },
  {
    title: "Next time",
    text: "Enter your address at My record. We mail you a link that signs you in.",
  },
];

interface AcceptPageProps {
  state: State;
  link: AcceptLink;
  offer: OpenedOffer;
  partiesOf: PartiesOf;
  /** True if the browser is signed in to the recipient's record. */
  signedIn: boolean;
}

/** The page behind the link in the mail about an issued document. */
export function AcceptPage({ state, link, offer, partiesOf, signedIn }: AcceptPageProps) {
  if (!offer.ok) {
    return (
      <MailedLinkPage state="other" eyebrow={EYEBROW}>
        <p class="lead">
          Part of the link may be missing, or everything that it led to was erased. Open the link in
          the mail again.
        </p>
      </MailedLinkPage>
    );
  }
  const { recipient, documents } = offer;
  const issuer = documents.at(-1)?.issuer.name ?? "The issuer";
  switch (recipient.state) {
    case "waiting":
      return <Open {...{ state, link, issuer, offer, partiesOf }} />;
    case "accepted":
      return (
        <MailedLinkPage state="used" title="You have accepted" eyebrow={EYEBROW} beside={AFTER}>
          <p class="lead">
            {documents.length === 1 ? "The document is" : "The documents are"}{" "}
            in your record, and further documents of {issuer} will be too.
          </p>
          {!signedIn && (
            <p>
              This link has already signed somebody in. To open your record, ask for a new link.
            </p>
          )}
          <p class="actions">
            <a class="button primary" href="/my-record">Open my record</a>
          </p>
          {/* Whoever reads an old mailbox must not see the titles of later documents. */}
          {signedIn && <Documents {...{ documents, partiesOf, state }} />}
        </MailedLinkPage>
      );
    case "refused":
      return (
        <MailedLinkPage state="used" title="Thank you for telling us" eyebrow={EYEBROW}>
          <p class="lead">
            Your address, the name and the files are erased here, and {issuer}{" "}
            learns that the address was wrong. We do not mail you for {issuer} again for{" "}
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

function Open(
  { state, link, issuer, offer: { recipient, documents }, partiesOf }: {
    state: State;
    link: AcceptLink;
    issuer: string;
    offer: Offer;
    partiesOf: PartiesOf;
  },
) {
  const names = [...new Set(documents.map(({ named }) => named ?? recipient.name))];
  const what = documents.length === 1 ? "a document" : `${documents.length} documents`;
  return (
    <MailedLinkPage
      state="open"
      title={`${issuer} has issued ${what} to you`}
      eyebrow={EYEBROW}
      beside={BEFORE}
    >
      <p class="lead">
        {documents.length === 1 ? "It is" : "They are"} for <strong>{names.join(", ")}</strong>, at
        {" "}
        {maskEmail(recipient.email ?? "")}.
      </p>
      <Documents {...{ documents, partiesOf, state }} />
      <form class="confirm around-5" method="post" action="/accept">
        <LinkFields of={link.id} token={link.token} />
        <button type="submit" class="button primary" name="act" value="accept">
          Accept {documents.length === 1 ? "the document" : "the documents"}
        </button>
      </form>
      <details>
        <summary>This is not me</summary>
        <form class="above-4" method="post" action="/accept">
          <LinkFields of={link.id} token={link.token} />
          <p>
            We erase the name, the address and the files here, and tell {issuer}{" "}
            that the address is wrong. This can’t be undone.
          </p>
          <button type="submit" class="button danger" name="act" value="refuse">
            This is not me
          </button>
        </form>
      </details>
      <p class="muted">
        You have until {formatDay(recipient.due_at!)}.
      </p>
    </MailedLinkPage>
  );
}

const Documents = ({ documents, partiesOf, state }: {
  documents: readonly DocumentRow[];
  partiesOf: PartiesOf;
  state: State;
}) => (
  <ul class="document-list">
    {documents.map((document) => {
      const version = latestVersion(document);
      const parties = partiesOf(document);
      const { status } = describeStatus(
        document,
        version,
        parties,
        state.services.clock(),
      );
      return (
        <li key={document.id} class="stack gap-1 ruled anywhere">
          <strong>{document.title}</strong>
          <span>{issuedBy(parties)}</span>
          <span class="muted">
            {document.kind}
            {document.date && `, ${formatDay(document.date)}`} · number{" "}
            <a href={`/d/${document.id}`}>{formatDocumentId(document.id)}</a>
            {status !== "current" && ` · ${STATUS_WORDS[status]}`}
          </span>
        </li>
      );
    })}
  </ul>
);
