import type { State } from "../../lib/state.ts";
import type { OrganisationKey } from "../../lib/surfaces/mod.ts";

const ORGANISATIONS: readonly OrganisationKey[] = ["foundation", "commercial"];

/**
 * Lists the email address of each organisation that has a surface in this deployment. Only these
 * have to be configured.
 */
export function Contacts({ state }: { state: State }) {
  const { config: { organisations }, surfaces } = state.services;
  const shown = ORGANISATIONS.filter((key) =>
    surfaces.all.some(({ organisation }) => organisation === key)
  );
  return (
    <dl class="facts even">
      {shown.map((key) => {
        const { name, contactEmail } = organisations[key];
        return (
          <>
            <dt>{name}</dt>
            <dd>
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
            </dd>
          </>
        );
      })}
    </dl>
  );
}
