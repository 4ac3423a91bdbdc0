import { ContactForm } from "./ContactForm.tsx";
import { contactUrls } from "../../lib/features/contact/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { contactUrl } from "../navigation.ts";

/** Opens the contact form over the page when a link to the contact page is clicked. */
export function ContactModal({ state }: { state: State }) {
  const { surface, services } = state;
  const href = contactUrl(state);
  const endpoint = contactUrls(surface, services)?.register;
  if (href === null || endpoint === undefined) return null;
  return (
    <ContactForm
      mode="modal"
      endpoint={endpoint}
      organisation={services.config.organisations[surface.organisation].name}
      href={href}
      challenge={challengeOf(state)}
      privacy={services.surfaces.url("trust", "/privacy") ?? undefined}
    />
  );
}

export function challengeOf({ services }: State) {
  const { challenge } = services.config.contact;
  return challenge && { siteKey: challenge.siteKey, scriptUrl: challenge.scriptUrl };
}
