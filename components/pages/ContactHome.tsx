import { asset, Head } from "fresh/runtime";
import ContactForm from "../../islands/ContactForm.tsx";
import { addressesOn } from "../../lib/contact/addresses.ts";
import { newKey } from "../contact_form/register.ts";
import type { State } from "../../lib/state.ts";
import { EnquiryForm } from "../contact/EnquiryForm.tsx";
import { challengeOf } from "../ContactModal.tsx";

/**
 * The investor surface's home: the contact form in page mode (spec 4.6). Without scripts the form in
 * it is posted; with them the module takes its place, and what was typed into it by then.
 */
export function ContactHome({ state }: { state: State }) {
  const { config, clock } = state.services;
  const { name, contactEmail } = config.organisations.commercial;
  const addresses = addressesOn(state.surface, state.services);
  const challenge = challengeOf(state);
  return (
    <section class="contact-home">
      <Head>
        <title>{`Talk to ${name}`}</title>
        <link rel="stylesheet" href={asset("/styles/contact.css")} />
        <link rel="stylesheet" href={asset("/styles/contact_mount.css")} />
      </Head>
      <header>
        <p class="eyebrow">Investors and partners</p>
        <h1>Talk to {name}</h1>
        <p class="lead">
          {addresses === null
            ? (
              <>
                Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
              </>
            )
            : "What you send becomes a record with a history of its own, which you can verify " +
              "yourself and show to others, without asking us."}
        </p>
      </header>
      {addresses !== null && (
        <ContactForm mode="page" endpoint={addresses.register} challenge={challenge}>
          <EnquiryForm
            action={addresses.register}
            renderedAt={new Date(clock()).toISOString()}
            idempotencyKey={newKey()}
            challenge={challenge !== undefined}
          />
        </ContactForm>
      )}
    </section>
  );
}
