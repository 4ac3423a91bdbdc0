/** The page that shows a new link to a document with its QR code, right after its holder has created it. */
import type { DocumentRow, Share } from "../../lib/features/documents/mod.ts";
import { formatDocumentId } from "../../lib/features/documents/mod.ts";
import { formatCount } from "../../lib/base/time.ts";
import { Groups } from "../Groups.tsx";
import { QrCode } from "../QrCode.tsx";
import { BackToRecord, type BesidePart, RecordFrame } from "../RecordFrame.tsx";
import { Time } from "../Time.tsx";
import { NewLink } from "./NewLink.tsx";

interface ShareCardProps {
  document: DocumentRow;
  share: Share;
  /** The code of the link, which only this page shows. */
  code: string;
  /** The link without its code. */
  address: string;
}

const BESIDE: readonly BesidePart[] = [
  {
    title: "Who can open it",
    text:
      "Anyone who has the link, the code or this sheet. Give it only to the person who needs it.",
  },
  {
    title: "If it gets into the wrong hands",
    text: "End the link on the document's page for links. It stops working immediately.",
  },
];

/** Shows a new link, once: to copy, to scan from the screen, and as a sheet to print. */
export function ShareCardPage({ issuer, ...card }: ShareCardProps & { issuer: string }) {
  const { document, share, code, address } = card;
  const back = `/my-record/share?document=${document.id}`;
  return (
    <RecordFrame title="Your new link" styles="share" beside={BESIDE}>
      <div class="screen-only">
        <BackToRecord text="Links to this document" href={back} />
        <h1>Your new link</h1>
        <p class="lead">
          Copy or send the link, let somebody scan the code, or print this page now. The link is not
          stored, so it cannot be shown again.
        </p>
        <NewLink url={`${address}#${code}`} title={document.title} />
        <p>
          <a href={back}>All links to this document</a>
        </p>
      </div>
      <ShareSheet
        {...card}
        issuer={issuer}
      />
      {share.label !== null && (
        <p class="muted screen-only">Your note, which is not printed: {share.label}</p>
      )}
    </RecordFrame>
  );
}

function ShareSheet(
  { document, share, code, address, issuer }: ShareCardProps & { issuer: string },
) {
  const { limit, ends_at, name } = share;
  return (
    <article class="key-sheet share-sheet" aria-label="Your link, as it is printed">
      <h2 class="below-2 anywhere">{document.title}</h2>
      <p class="anywhere">{issuer}</p>
      <p>
        The holder of this document shares it with you. Scan the code to read it, or type the
        address with the code after “#” into a browser.
      </p>
      <div class="sheet-code stack top around-5">
        <div class="key-qr">
          <QrCode text={`${address}#${code}`} label="QR code with the address of the link" />
        </div>
        <dl class="flush">
          <dt class="bold">Address</dt>
          <dd>
            <code class="key-address">
              {address}#<Groups text={code} />
            </code>
          </dd>
          <dt class="bold">Works until</dt>
          <dd>
            <Time at={ends_at} />
            {limit === 1 ? ", once" : `, up to ${formatCount(limit)} times`}
          </dd>
          <dt class="bold">Document</dt>
          <dd>
            <code>{formatDocumentId(document.id)}</code>, link <code>{name}</code>
          </dd>
        </dl>
      </div>
      <p>
        Check that the address in your browser begins with{" "}
        <strong>{address}</strong>. Without JavaScript, the page asks for the code: type it there.
      </p>
      <p>
        This sheet does not prove who is showing it. What counts is the document that the page
        shows, and whether it is still in force.
      </p>
    </article>
  );
}
