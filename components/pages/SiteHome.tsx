import type { State } from "../../lib/state.ts";

/** The qualification-pack site's home. */
export function SiteHome({ state }: { state: State }) {
  const { catalogue, config } = state.services;
  const packages = new Set(catalogue.all.map((item) => item.training_package.code));
  return (
    <section class="prose">
      <p class="eyebrow">Australian vocational qualifications</p>
      <h1>{config.productName}</h1>
      <p class="lead">
        {catalogue.size} qualifications from {packages.size}{" "}
        training packages, with their level, status and successor. Agents search them through our
        MCP servers today; the search on this page comes next.
      </p>
    </section>
  );
}
