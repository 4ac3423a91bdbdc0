import type { OrganisationKey } from "../lib/surfaces/mod.ts";
import { Logo } from "./Logo.tsx";

/** The figure of a 404 page: a chain of the organisation's marks, in which one is missing. */
export function BrokenChain({ organisation }: { organisation: OrganisationKey }) {
  return (
    <div class="error-figure" aria-hidden="true">
      <Logo organisation={organisation} />
      <span class="error-link" />
      <span class="error-gap" />
      <span class="error-link" />
      <Logo organisation={organisation} />
    </div>
  );
}
