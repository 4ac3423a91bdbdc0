/** The page that confirms an enquiry that was sent without scripts, with its record's hash and QR code. */
import { CONFIG, doneTitleOf } from "../../lib/features/contact/config.ts";
import { MASKED_FIELDS } from "../../lib/features/contact/fields.ts";
import type { Registered } from "../../lib/features/contact/receipt.ts";
import { ContactPage, RecordFact } from "./ContactPage.tsx";
import { EventName } from "../EventName.tsx";
import { timestamp } from "./message.ts";
import { QrCode } from "../QrCode.tsx";
import type { BesidePart } from "../RecordFrame.tsx";

const { COPY } = CONFIG;

const BESIDE: readonly BesidePart[] = [
  {
    title: "What happens next",
    text: "We email you a link. It confirms your address and opens your record.",
  },
  {
    title: "Keep the hash",
    text: "Anyone who has it can verify the chain. It says nothing about you.",
  },
  {
    title: "Who sees what you wrote",
    text: "Only the people who answer. The chain contains a hash of it, and no text.",
  },
];

export function ReceiptPage(
  { organisation, hash, events, masked, chain_url, verify_url, back }: Registered & {
    /** The address of the site with the form; null if it is unknown. */
    back: string | null;
  },
) {
  return (
    <ContactPage title={doneTitleOf(organisation)} {...{ back, beside: BESIDE }}>
      <p class="lead">{COPY.DONE_NOTE}</p>
      <dl class="facts even">
        <RecordFact hash={hash} />
        {MASKED_FIELDS.map(({ name, label }) => (
          <>
            <dt>{label}</dt>
            <dd>{masked[name] ?? "not given"}</dd>
          </>
        ))}
      </dl>
      <div class="wrap receipt-verify gap-5 middle around-5">
        <QrCode text={verify_url} label={COPY.QR} />
        <p class="flush">
          <a class="button primary" href={verify_url}>{COPY.VERIFY}</a>
        </p>
      </div>
      <h2>{COPY.FEED_TITLE}</h2>
      <div class="table-scroll" tabindex={0} role="region" aria-label={COPY.FEED_TITLE}>
        <table class="table">
          <caption>{COPY.FEED_ZONE}</caption>
          <tbody>
            {events.map(({ seq, at, kind }) => (
              <tr key={seq}>
                <td>
                  <time class="mono" datetime={at}>{timestamp(at)}</time>
                </td>
                <td>
                  <EventName kind={kind} />
                </td>
                <td>
                  <span aria-hidden="true">✓</span>
                  <span class="visually-hidden">done</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        <a href={chain_url}>The chain as JSON</a>
      </p>
    </ContactPage>
  );
}
