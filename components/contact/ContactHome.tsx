import { asset, Head } from "fresh/runtime";
import { ContactForm } from "./ContactForm.tsx";
import { CONFIG, titleOf } from "../../lib/contact/config.ts";
import { contactUrls, registerFor } from "../../lib/contact/mod.ts";
import type { State } from "../../lib/state.ts";
import { challengeOf } from "./ContactModal.tsx";
import { EnquiryForm } from "./EnquiryPage.tsx";

/**
 * The contact form in page mode (spec 4.6), on the investor surface's home page and behind a
 * marketing site's contact links without scripts. Without scripts, the form is posted; with
 * scripts, the module replaces it and keeps what has been typed.
 */
export function ContactHome({ state }: { state: State }) {
  const { config, clock } = state.services;
  const { organisation, kind } = state.surface;
  const isMarketing = kind === "marketing";
  const { name, contactEmail } = config.organisations[organisation];
  const urls = contactUrls(state.surface, state.services);
  const challenge = challengeOf(state);
  return (
    <section class="contact-home">
      <Head>
        <title>{titleOf(name)}</title>
        {isMarketing && <meta name="description" content={CONFIG.COPY.INTRO} />}
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/contact.css")} />
      </Head>
      <header>
        <p class="eyebrow">{isMarketing ? CONFIG.COPY.EYEBROW : "Investors and partners"}</p>
        <h1>{titleOf(name)}</h1>
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
        <ContactForm
          mode="page"
          endpoint={urls.register}
          organisation={name}
          challenge={challenge}
        >
          <EnquiryForm
            action={registerFor(urls.register, organisation)}
            renderedAt={new Date(clock()).toISOString()}
            idempotencyKey={crypto.randomUUID()}
            challenge={challenge !== undefined}
          />
        </ContactForm>
      )}
    </section>
  );
}
