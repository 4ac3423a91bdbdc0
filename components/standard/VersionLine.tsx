/** The line with the standard's version and dates. */
import type { WholeText } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { foundationHref } from "./links.ts";
import { Time } from "../Time.tsx";

/**
 * The version of a text, by default the current one, and when it or one of its sections was published
 * and corrected.
 */
export function VersionLine(
  { state, section, text }: { state: State; section?: string; text?: WholeText },
) {
  const { standard } = state.services;
  const changelog = foundationHref(state, "/standard/changelog");
  const { published, corrected } = text?.dates() ?? standard.dates(section);
  return (
    <p class="wrap standard-version muted digits">
      <span>Version {text?.version ?? standard.version}</span>
      <span>
        Published <Time at={published} day />
      </span>
      {corrected && (
        <span>
          Corrected <Time at={corrected} day />
        </span>
      )}
      {changelog && <a href={changelog}>Changelog</a>}
    </p>
  );
}
