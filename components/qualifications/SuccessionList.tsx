import type { Qualification } from "../../lib/qualifications/mod.ts";
import type { Succession } from "../../lib/qualifications/succession.ts";
import { StatusPill } from "./StatusPill.tsx";

/** What came before a qualification and what came after it, the oldest first. */
export function SuccessionList(
  { qualification, predecessors, successors }: Succession & { qualification: Qualification },
) {
  return (
    <section class="succession" aria-labelledby="succession">
      <h2 id="succession">Succession</h2>
      <ol>
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
    <li class={here ? "here" : undefined}>
      <span class="step-label">{label}</span>
      {here
        ? <span class="step-title">{code} {title}</span>
        : <a class="step-title" href={`/qualifications/${code}`}>{code} {title}</a>}
      <StatusPill status={status} />
    </li>
  );
}
