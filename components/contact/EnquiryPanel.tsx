/** The contact form as part of one of our own pages, with and without scripts. */
import { contactUrls, type FormValues, registerFor } from "../../lib/features/contact/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { ContactForm } from "./ContactForm.tsx";
import { challengeOf } from "./ContactModal.tsx";
import { EnquiryForm } from "./EnquiryPage.tsx";

/**
 * The contact form in page mode (spec 4.6), or the address to write to if this deployment registers
 * no enquiries. Without scripts, the form is posted; with scripts, the module replaces it and keeps
 * what has been typed.
 */
export function EnquiryPanel({ state, values }: { state: State; values?: FormValues }) {
  const { config, clock } = state.services;
  const { organisation } = state.surface;
  const { name, contactEmail } = config.organisations[organisation];
  const urls = contactUrls(state.surface, state.services);
  if (urls === null) {
    return (
      <p class="lead">
        Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
      </p>
    );
  }
  const challenge = challengeOf(state);
  const privacy = state.services.surfaces.url("trust", "/privacy") ?? undefined;
  return (
    <div class="enquiry-panel">
      <ContactForm
        mode="page"
        endpoint={urls.register}
        organisation={name}
        challenge={challenge}
        privacy={privacy}
      >
        <EnquiryForm
          action={registerFor(urls.register, organisation)}
          values={values}
          renderedAt={new Date(clock()).toISOString()}
          idempotencyKey={crypto.randomUUID()}
          challenge={challenge !== undefined}
          privacy={privacy}
        />
      </ContactForm>
    </div>
  );
}
