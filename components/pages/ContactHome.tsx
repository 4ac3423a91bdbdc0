import type { State } from "../../lib/state.ts";

/** The investor surface's home. */
export function ContactHome({ state }: { state: State }) {
  const { name, contactEmail } = state.services.config.organisations.commercial;
  return (
    <section class="prose">
      <p class="eyebrow">Investors and partners</p>
      <h1>Talk to {name}</h1>
      <p class="lead">
        Write to{" "}
        <a href={`mailto:${contactEmail}`}>{contactEmail}</a>. The form that registers an enquiry as
        a verifiable record will stand here.
      </p>
    </section>
  );
}
