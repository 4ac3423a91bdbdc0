/** The footer below the pages, and a helper that lets email addresses wrap. */
import type { State } from "../lib/app/state.ts";
import type { OrganisationKey } from "../lib/platform/surfaces/mod.ts";
import { Logo } from "./Logo.tsx";
import { breakable } from "./mixed_text.ts";
import { footGroups } from "./navigation.ts";

/** The footer of every page: who publishes it, its links, and that the other organisation is separate. */
export function Footer({ state }: { state: State }) {
  const { surface, services: { config } } = state;
  const { name, registration } = config.organisations[surface.organisation];
  return (
    <footer class="foot">
      <div class="foot-inner">
        <div class="foot-entity">
          <p class="foot-name">
            <Logo organisation={surface.organisation} />
            {name}
          </p>
          {registration !== undefined && <p>{registration}</p>}
          <Separate state={state} />
        </div>
        <div class="wrap foot-groups">
          {footGroups(state).map(({ title, items }) => (
            <div key={title}>
              <p id={`foot-${title.toLowerCase()}`}>{title}</p>
              <ul class="plain" aria-labelledby={`foot-${title.toLowerCase()}`}>
                {items.map(({ href, text }) => (
                  <li key={href}>
                    <a href={href} aria-current="false">{breakable(text)}</a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </div>
    </footer>
  );
}

/** Describes the other organisation, after its name. */
const ROLES: Record<OrganisationKey, string> = {
  foundation: "which publishes the standard,",
  commercial: "which runs certification infrastructure on the standard,",
};

function Separate({ state: { surface, services } }: { state: State }) {
  const other = surface.organisation === "foundation" ? "commercial" : "foundation";
  const { name } = services.config.organisations[other];
  const href = services.surfaces.url(other);
  return (
    <p>
      {href === null ? name : <a href={href}>{name}</a>}, {ROLES[other]} is a separate organisation.
    </p>
  );
}
