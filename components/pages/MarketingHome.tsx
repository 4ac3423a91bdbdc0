import type { State } from "../../lib/state.ts";

/** An organisation's public home. */
export function MarketingHome({ state }: { state: State }) {
  const { surface, services } = state;
  const organisation = services.config.organisations[surface.organisation];
  const manifest = services.manifests[surface.organisation];
  const { standard } = services;
  return (
    <section class="prose">
      <p class="eyebrow">{standard.title} {standard.version}</p>
      <h1>{organisation.name}</h1>
      <p class="lead">{organisation.description}</p>
      <h2>For agents</h2>
      <p>
        An MCP server answers at <code>{manifest.endpoint}</code>. It reads and searches the{" "}
        {standard.sections.length}{" "}
        sections of the standard, and checks a chain of events against it. No account is needed.
      </p>
      <h2>For people</h2>
      <p>
        The code is at <a href={organisation.codeHostUrl}>{organisation.codeHostUrl}</a>, and{" "}
        <a href={`mailto:${organisation.contactEmail}`}>{organisation.contactEmail}</a> reaches us.
      </p>
    </section>
  );
}
