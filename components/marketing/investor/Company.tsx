import type { State } from "../../../lib/app/state.ts";

/** The facts about the company that the configuration states. */
export function Company({ state }: { state: State }) {
  const { config, standard, surfaces } = state.services;
  const { commercial, foundation } = config.organisations;
  const site = surfaces.url("commercial", "/");
  const facts = [
    {
      term: "Company",
      text: site === null ? commercial.name : <a href={site}>{commercial.name}</a>,
    },
    ...commercial.registration === undefined
      ? []
      : [{ term: "Registration", text: commercial.registration }],
    { term: "Business", text: commercial.description },
    {
      term: "Standard",
      text: `${standard.title} ${standard.version}, maintained by ${foundation.name}, a separate ` +
        "organisation",
    },
  ];
  return (
    <section class="investor-company" aria-labelledby="company-title">
      <h2 class="text-large" id="company-title">The company</h2>
      <dl class="stack gap-4">
        {facts.map(({ term, text }) => (
          <div key={term}>
            <dt class="muted text-small">{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
