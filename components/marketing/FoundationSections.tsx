/** The numbered sections of the foundation's start page: standard, implementations, governance and so on. */
import { EVENT_KINDS } from "../../packages/proof/mod.ts";
import { mcpTools } from "../../lib/features/mcp/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { VECTORS } from "../../packages/proof/kit/mod.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { contactUrl } from "../navigation.ts";
import { AgentFigure } from "./AgentFigure.tsx";
import { EXCERPTS } from "./excerpts.ts";
import { Numbered } from "./Numbered.tsx";
import { standardDocuments } from "./standard_documents.ts";

export function StandardSection({ state }: { state: State }) {
  const { standard, config } = state.services;
  return (
    <Numbered id="standard" number={1} title="What the standard says">
      <p class="opening">
        {standard.sections.length} sections, {EVENT_KINDS.length}{" "}
        kinds of event, one hash function, one signature algorithm.
      </p>
      <div class="excerpts">
        {EXCERPTS.map(({ section, quote, note }) => {
          const { number, title } = standard.get(section)!;
          return (
            <figure class="excerpt stack flush lined one-column-960" key={section}>
              <blockquote class="flush" cite={`/standard/${section}`}>
                <p class="flush">{quote}</p>
              </blockquote>
              <figcaption class="stack gap-2 muted text-medium">
                <a class="bold" href={`/standard/${section}`}>
                  {`§ ${number}`} {title}
                </a>
                <span>{note}</span>
              </figcaption>
            </figure>
          );
        })}
      </div>
      <p class="wrap gap-2-5 above-5">
        <a href="/standard">All {standard.sections.length} sections</a>
        {standardDocuments(state).map(({ path, text }) => <a key={path} href={path}>{text}</a>)}
        <a href={config.organisations.foundation.codeHostUrl}>Source</a>
      </p>
    </Numbered>
  );
}

export function ImplementationsSection({ state }: { state: State }) {
  const { commercial } = state.services.config.organisations;
  const vectors = VECTORS.valid.length + VECTORS.invalid.length;
  return (
    <Numbered id="implementations" number={2} title="Who implements it">
      <p class="opening">
        Two programs, the second written from the text alone. {vectors}{" "}
        test vectors state the results that both must produce.
      </p>
      <dl class="ledger">
        <dt>The site's own</dt>
        <dd>
          Publishes and verifies chains, in TypeScript, here and for the records of{" "}
          {commercial.name}.
        </dd>
        <dt>The second one</dt>
        <dd>
          Written without the first one's code. The tests fail if the two disagree.
        </dd>
        <dt>Yours</dt>
        <dd>
          The conformance kit compares your program with the vectors, in any language.
        </dd>
      </dl>
      <p class="wrap gap-2-5 above-5">
        <a href="/implementations">Implementations and how to list yours</a>
      </p>
    </Numbered>
  );
}

export function GovernanceSection({ state }: { state: State }) {
  const { name } = state.services.config.organisations.foundation;
  return (
    <Numbered id="governance" number={3} title="How it is governed">
      <p class="opening">
        {name} maintains the text, its versions and its test vectors.
      </p>
      <dl class="ledger">
        <dt>In public</dt>
        <dd>Changes are proposed and discussed next to the text.</dd>
        <dt>For good</dt>
        <dd>
          A published version does not change. Chains that verify under version{" "}
          {state.services.standard.version} verify under every later minor version.
        </dd>
      </dl>
      <p class="wrap gap-2-5 above-5">
        <a href="/governance">Governance</a>
        <a href="/governance#propose">How to propose a change</a>
      </p>
    </Numbered>
  );
}

export function AgentsSection({ state }: { state: State }) {
  const { endpoint } = state.services.manifests.foundation;
  return (
    <Numbered id="agents" number={4} title="How agents connect">
      <p class="opening">
        Our MCP server has {mcpTools.length} tools, and needs no account.
      </p>
      <AgentFigure manifest={state.services.manifests.foundation} />
      <CodeBlock label="The server's URL" code={endpoint} />
      <p class="wrap gap-2-5 above-5">
        <a href="/connect">How to connect your agent</a>
      </p>
    </Numbered>
  );
}

export function ParticipateSection({ state }: { state: State }) {
  const { codeHostUrl, contactEmail } = state.services.config.organisations.foundation;
  const contact = contactUrl(state);
  return (
    <Numbered id="participate" number={5} title="How to take part">
      <p class="opening">Anyone may implement it: there is nothing to sign, ask or pay.</p>
      <ul class="ways-in stack gap-5-6">
        <li class="pad-top-3 lined">
          <h3 class="below-2">
            <a href="/standard/test-vectors">Implement it</a>
          </h3>
          <p class="flush muted">
            If your hashes match the vectors, your chains verify everywhere.
          </p>
        </li>
        <li class="pad-top-3 lined">
          <h3 class="below-2">
            <a href={codeHostUrl}>Improve it</a>
          </h3>
          <p class="flush muted">Report errors and propose changes in public.</p>
        </li>
        <li class="pad-top-3 lined">
          <h3 class="below-2">
            {contact === null
              ? <a href={`mailto:${contactEmail}`}>Write to us</a>
              : <a href={contact}>Contact us</a>}
          </h3>
          <p class="flush muted">
            <a href="/governance#security">Report vulnerabilities</a> in private.
          </p>
        </li>
      </ul>
    </Numbered>
  );
}
