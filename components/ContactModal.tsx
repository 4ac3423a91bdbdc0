import ContactForm from "../islands/ContactForm.tsx";
import { addressesOn } from "../lib/contact/addresses.ts";
import type { State } from "../lib/state.ts";
import { contactAddress } from "./navigation.ts";

/** What opens the contact form over a page, by its links to the contact address. */
export function ContactModal({ state }: { state: State }) {
  const { surface, services } = state;
  const href = contactAddress(state);
  const endpoint = addressesOn(surface, services)?.register;
  if (href === null || endpoint === undefined) return null;
  return (
    <ContactForm
      mode="modal"
      endpoint={endpoint}
      href={href}
      challenge={challengeOf(state)}
    />
  );
}

/** What a page may know of the bot challenge: everything but its secret. */
export function challengeOf({ services }: State) {
  const { challenge } = services.config.contact;
  return challenge && { siteKey: challenge.siteKey, scriptUrl: challenge.scriptUrl };
}
