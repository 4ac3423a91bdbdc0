import type { ComponentChildren } from "preact";
import type { ShownResult } from "../../../lib/platform/http/action_result.ts";
import { ActionResult } from "../../ActionResult.tsx";
import { Time } from "../../Time.tsx";
import { Card, CodeSample } from "../parts.tsx";
import { DomainState, IssuerState } from "./states.tsx";
import type { IssuerView } from "./section.ts";

interface IssuerPageProps extends IssuerView {
  sections: readonly {
    id: string;
    title: string;
    content: ComponentChildren;
    count?: number;
  }[];
  /** The result of the action that led here. */
  result: ShownResult | null;
  /** When it was last used, ISO 8601 in UTC. */
  usedAt: string | undefined;
}

/** One issuer, for full administrators: a summary that stays in view, and a section for each topic. */
export function IssuerPage(
  { issuer, now, isOwn, path, sections, result, usedAt, once }: IssuerPageProps,
) {
  return (
    <>
      <h1 class="below-5 anywhere">{issuer.name}</h1>
      {result !== null && <ActionResult result={result} action={path} />}
      {once !== undefined && (
        <section class="card below-4" role="status" aria-labelledby="once">
          <h2 id="once">{once.title}</h2>
          <CodeSample code={once.value} />
          <p>{once.text}</p>
        </section>
      )}
      <div class="record-layout top block-print">
        <aside class="record-summary text-medium" aria-label="Summary">
          <dl class="facts gap-1-4">
            {isOwn
              ? (
                <>
                  <dt>Issuer</dt>
                  <dd>this organisation</dd>
                </>
              )
              : (
                <>
                  <dt>State</dt>
                  <dd>
                    <IssuerState issuer={issuer} />
                  </dd>
                  <dt>Domain</dt>
                  <dd>
                    <DomainState issuer={issuer} now={now} />
                  </dd>
                  <dt>Added</dt>
                  <dd>
                    <Time at={issuer.created_at} day />
                  </dd>
                </>
              )}
            <dt>Last used</dt>
            <dd>
              {usedAt === undefined ? "not yet" : <Time at={usedAt} day />}
            </dd>
          </dl>
          <nav aria-label="Sections">
            <ul class="plain pad-top-3 lined">
              {sections.map(({ id, title, count = 0 }) => (
                <li key={id}>
                  <a href={`#${id}`}>
                    {title}
                    {count > 0 && <span class="count digits">{count}</span>}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </aside>
        <div class="record-sections stack gap-4">
          {sections.map(({ id, title, content }) => (
            <Card key={id} id={id} title={title}>{content}</Card>
          ))}
        </div>
      </div>
    </>
  );
}
