import {
  type DocumentRow,
  type DocumentVersion,
  statusOf,
} from "../../lib/features/documents/mod.ts";
import { plural } from "../../lib/base/time.ts";
import { pagesOf, STATUS_WORDS } from "./texts.ts";
import { Time } from "../Time.tsx";

/** The other versions of a document, newest first; nothing if there is only one. */
export function Versions(
  { document, shown, now }: { document: DocumentRow; shown: DocumentVersion; now: number },
) {
  if (document.versions.length === 1) return null;
  return (
    <section class="document-versions pad-top-5 above-6 ruled" aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <ol class="plain stack gap-2 below-4" reversed>
        {document.versions.toReversed().map((version) => {
          const pages = pagesOf(version);
          const name = `Version ${version.number}`;
          return (
            <li class="stack gap-0-4" key={version.number}>
              {version === shown
                ? <strong>{name}</strong>
                : <a href={`?version=${version.number}`}>{name}</a>}
              <span>
                <Time at={version.at} />
              </span>
              <span class="muted">
                {STATUS_WORDS[statusOf(document, version, now)]}
                {pages !== null && `, ${plural(pages, "page")}`}
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
