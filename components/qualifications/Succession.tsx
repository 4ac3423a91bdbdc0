/** The section “Succession” of a qualification's page. */
import type { Succession } from "../../lib/features/qualifications/mod.ts";
import type { Qualification } from "../../lib/features/qualifications/qualification.ts";
import { StatusPill } from "./Results.tsx";

/** A qualification's predecessors and successors, the oldest first, as a line of steps. */
export function SuccessionLine(
  { qualification, earlier, predecessors, successors }:
    & Succession
    & { qualification: Qualification },
) {
  return (
    <section class="succession pad-top-5" aria-labelledby="succession">
      <h2 id="succession">Succession</h2>
      <ol class="plain">
        {earlier.map((each) => <Step key={each.code} label="Earlier" {...each} />)}
        {predecessors.map((each) => <Step key={each.code} label="Supersedes" {...each} />)}
        <Step label="This qualification" {...qualification} here />
        {successors.map((each, i) => (
          <Step key={each.code} label={i === 0 ? "Superseded by" : "Then by"} {...each} />
        ))}
      </ol>
    </section>
  );
}

function Step(
  { label, code, title, status, here = false }:
    & Pick<Qualification, "code" | "title" | "status">
    & { label: string; here?: boolean },
) {
  return (
    <li class={[here && "here", status].filter(Boolean).join(" ")}>
      <span class="note step-label">{label}</span>
      <span class="mono text-medium">{code}</span>
      {here
        ? <span class="step-title">{title}</span>
        : <a class="step-title" href={`/qualifications/${code}`}>{title}</a>}
      <StatusPill status={status} />
    </li>
  );
}
