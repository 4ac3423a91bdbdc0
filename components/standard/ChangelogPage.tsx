/** The page `/standard/changelog` of the foundation's site. */
import type { Standard, StandardChange } from "../../lib/features/standard/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { HashRows } from "../Groups.tsx";
import { StandardEyebrow, StandardHead } from "./StandardHead.tsx";
import { Time } from "../Time.tsx";

const DESCRIPTION =
  "Every version of the standard and every correction of its text, with the date, the sections and " +
  "a hash of the whole text.";

const KINDS: Record<StandardChange["kind"], string> = {
  publication: "Publication",
  correction: "Correction",
};

/** The version history of the standard, and every change to its text. */
export function ChangelogPage({ state }: { state: State }) {
  const { standard } = state.services;
  const { changes } = standard;
  const publications = changes.filter(({ kind }) => kind === "publication");
  return (
    <div class="standard-document">
      <StandardHead
        state={state}
        title="Changelog"
        description={DESCRIPTION}
        path="/standard/changelog"
      />
      <header class="below-6">
        <StandardEyebrow standard={standard} />
        <h1>Changelog</h1>
        <p class="lead">{DESCRIPTION}</p>
      </header>
      <section>
        <h2 id="versions">Versions</h2>
        <div class="table-region" role="region" tabindex={0} aria-label="Table: Versions">
          <table>
            <thead>
              <tr>
                <th scope="col">Version</th>
                <th scope="col">Published</th>
                <th scope="col">Corrections</th>
                <th scope="col">Text</th>
              </tr>
            </thead>
            <tbody>
              {publications.map(({ version, date }) => (
                <tr key={version}>
                  <td>{version}{version === standard.version && ", current"}</td>
                  <td>
                    <Time at={date} day />
                  </td>
                  <td>{correctionsOf(changes, version)}</td>
                  <td>
                    <a href={`/standard/complete?version=${version}`}>One page</a>,{" "}
                    <a href={`/standard.md?version=${version}`}>Markdown</a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p>
          A published version stays readable and does not change, except for corrections that affect
          neither bytes nor requirements. The section on{" "}
          <a href="/standard/conformance">conformance and versioning</a> explains the numbers.
        </p>
      </section>
      <section>
        <h2 id="changes">Changes</h2>
        <ol class="change-list below-4" reversed>
          {changes.map((change) => (
            <li key={change.sha256}>
              <p class="wrap change-date flush digits">
                <Time at={change.date} day />
                <span class="muted text-medium">{KINDS[change.kind]} · {change.version}</span>
              </p>
              <div>
                <h3 class="below-2">{change.title}</h3>
                <p>{change.text}</p>
                <dl class="facts even text-medium">
                  <dt>Sections</dt>
                  <dd>
                    <ChangedSections standard={standard} sections={change.sections} />
                  </dd>
                  <dt>SHA-256</dt>
                  <dd>
                    <HashRows hash={change.sha256} />
                  </dd>
                </dl>
              </div>
            </li>
          ))}
        </ol>
        <p class="note">
          The hash covers the Markdown of all sections after the change, joined in order. To check
          it against a copy of the repository, run{" "}
          <code>cat lib/features/standard/sections/*.md | shasum -a 256</code>.
        </p>
      </section>
    </div>
  );
}

const correctionsOf = (changes: readonly StandardChange[], version: string): number =>
  changes.filter((change) => change.version === version && change.kind === "correction").length;

/** The titles of sections as links, or “All sections”. */
function ChangedSections(
  { standard, sections }: { standard: Standard; sections: readonly string[] | "all" },
) {
  if (sections === "all") return <>All sections</>;
  return (
    <>
      {sections.map((id, i) => (
        <>
          {i > 0 && ", "}
          <a key={id} href={`/standard/${id}`}>{standard.get(id)!.title}</a>
        </>
      ))}
    </>
  );
}
