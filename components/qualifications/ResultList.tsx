import { packageName } from "../../lib/qualifications/choices.ts";
import type { Qualification } from "../../lib/qualifications/mod.ts";
import { StatusPill } from "./StatusPill.tsx";

/** Qualifications one below the other; a click anywhere on a row opens it. */
export function ResultList({ qualifications }: { qualifications: Qualification[] }) {
  return (
    <ol class="results">
      {qualifications.map((qualification) => {
        const { code, title, aqf_level, status } = qualification;
        return (
          <li key={code}>
            <code class="result-code">{code}</code>
            <div class="result-what">
              <a href={`/qualifications/${code}`}>{title}</a>
              <span>{packageName(qualification)}</span>
            </div>
            <span class="result-level">
              <abbr title="Australian Qualifications Framework">AQF</abbr> {aqf_level}
            </span>
            <StatusPill status={status} />
          </li>
        );
      })}
    </ol>
  );
}
