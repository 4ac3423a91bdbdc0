import { asset, Head } from "fresh/runtime";
import { ContactForm } from "./ContactForm.tsx";
import { contactUrls } from "../../lib/contact/mod.ts";
import type { State } from "../../lib/state.ts";
import { challengeOf } from "./ContactModal.tsx";
import { EnquiryForm } from "./EnquiryPage.tsx";

/**
 * The investor surface's home: the contact form in page mode (spec 4.6). Without scripts, the form
 * is posted; with scripts, the module replaces it and takes over what has been typed.
 */
export function ContactHome({ state }: { state: State }) {
  const { config, clock } = state.services;
  const { name, contactEmail } = config.organisations.commercial;
  const urls = contactUrls(state.surface, state.services);
  const challenge = challengeOf(state);
  return (
    <section class="contact-home">
      <Head>
        <title>{`Talk to ${name}`}</title>
        <link key="contact" rel="stylesheet" href={asset("/styles/contact.css")} />
        <link key="contact_mount" rel="stylesheet" href={asset("/styles/contact_mount.css")} />
      </Head>
      <header>
        <p class="eyebrow">Investors and partners</p>
        <h1>Talk to {name}</h1>
        <p class="lead">
          {urls === null
            ? (
              <>
                Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
              </>
            )
            : "What you send becomes a record with its own history, which you can verify yourself " +
              "and show to others without asking us."}
        </p>
      </header>
      {urls !== null && (
        <ContactForm mode="page" endpoint={urls.register} challenge={challenge}>
          <EnquiryForm
            action={urls.register}
            renderedAt={new Date(clock()).toISOString()}
            idempotencyKey={crypto.randomUUID()}
            challenge={challenge !== undefined}
          />
        </ContactForm>
      )}
    </section>
  );
}
