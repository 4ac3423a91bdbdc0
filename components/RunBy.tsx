import type { State } from "../lib/app/state.ts";

/**
 * Says who runs a page that holders reach from either organisation's mails, and how that relates to
 * the other organisation.
 */
export function RunBy({ state: { surface, services } }: { state: State }) {
  const { organisations } = services.config;
  // The page may show the organisation that a record belongs to.
  const { organisation: runner } = services.surfaces.get(surface.name)!;
  if (runner === "foundation") return null;
  return (
    <p class="muted text-small above-5">
      {organisations.commercial.name} runs this page, also for records that are registered with{" "}
      {organisations.foundation.name}, a separate organisation, which publishes the standard.
    </p>
  );
}
