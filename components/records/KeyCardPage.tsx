/** The printable card and sheet with the QR code of a record's new key. */
import type { State } from "../../lib/app/state.ts";
import { PrintButton } from "../PrintButton.tsx";
import { QrCode } from "../QrCode.tsx";
import { Groups, HashRows } from "../Groups.tsx";
import { DISCLOSURE } from "./KeyPage.tsx";
import { BackToRecord, RecordFrame } from "../RecordFrame.tsx";
import { Time } from "../Time.tsx";

interface KeyCardProps {
  hash: string;
  /** The key (K2), which only this page shows. */
  recordKey: string;
  created_at: string;
  serviceUrl: string;
  publisher: string;
}

type KeyCardPageProps = Omit<KeyCardProps, "publisher"> & { state: State };

/** Shows a new key, once: as a sheet to print, with a card to cut out. */
export function KeyCardPage(
  { state: { services, surface }, ...key }: KeyCardPageProps,
) {
  const publisher = services.config.organisations[surface.organisation].name;
  const props = { ...key, publisher };
  return (
    <RecordFrame title="Your new key" styles="key" beside={DISCLOSURE}>
      <div class="screen-only">
        <BackToRecord />
        <h1>Your new key</h1>
        <p class="lead">
          Print this page or save it as a PDF now. The key is not stored, so it cannot be shown
          again.
        </p>
        <fieldset class="print-format stack gap-2">
          <legend class="below-2 bold">Print</legend>
          <label>
            <input type="radio" name="format" id="print-sheet" checked />{" "}
            An A4 sheet, with a card to cut out
          </label>
          <label>
            <input type="radio" name="format" id="print-card" /> Only the card, 85.6 × 54 mm
          </label>
        </fieldset>
        <p class="actions">
          <PrintButton />
          <a class="button" href="/my-record">Back to my record</a>
        </p>
      </div>
      <KeySheet {...props} />
    </RecordFrame>
  );
}

function KeySheet(props: KeyCardProps) {
  const { hash, created_at, serviceUrl, publisher } = props;
  return (
    <article class="key-sheet" aria-label="Your key, as it is printed">
      <div class="sheet-text">
        <p class="below-1 bold">{publisher}</p>
        <h2 class="below-3">Record key</h2>
        <p>
          Scan the code to verify the record with the hash below. Your browser verifies the record's
          chain of events and shows the level that {publisher} states.
        </p>
        <div class="sheet-code stack top around-5">
          <KeyQr {...props} />
          <dl class="flush">
            <dt class="bold">Address</dt>
            <dd>
              <KeyAddress {...props} />
            </dd>
            <dt class="bold">Record hash, SHA-256</dt>
            <dd>
              <HashRows hash={hash} />
            </dd>
            <dt class="bold">Created</dt>
            <dd>
              <Time at={created_at} />
            </dd>
          </dl>
        </div>
        <p>
          Check that the address begins with{" "}
          <strong>{serviceUrl}</strong>, and that the page shows the hash that is printed here.
        </p>
        <p>{disclaimer(publisher)}</p>
        <p class="above-5 text-small">The card to cut out, 85.6 × 54 mm:</p>
      </div>
      <KeyCard {...props} />
    </article>
  );
}

function KeyCard(props: KeyCardProps) {
  const { hash, created_at, publisher } = props;
  return (
    <div class="key-card stack">
      <p class="wrap card-head apart">
        <strong>{publisher}</strong>
        <span>
          Record key, <Time at={created_at} day />
        </span>
      </p>
      <KeyQr {...props} />
      <div class="card-text stack">
        <p>
          <KeyAddress {...props} />
        </p>
        <p>
          Record hash <HashRows hash={hash} />
        </p>
      </div>
      <p class="card-foot">
        Check that your browser shows the address above. The code leads to a statement about a
        record. It does not prove who is showing it.
      </p>
    </div>
  );
}

const disclaimer = (publisher: string) =>
  `The code leads to a statement by ${publisher} about a record. It does not prove who is showing it.`;

const KeyQr = ({ recordKey, serviceUrl }: KeyCardProps) => (
  <div class="key-qr">
    <QrCode text={`${serviceUrl}#${recordKey}`} label="QR code with the address of the key" />
  </div>
);

const KeyAddress = ({ recordKey, serviceUrl }: KeyCardProps) => (
  <code class="key-address">
    {serviceUrl}#<Groups text={recordKey} />
  </code>
);
