/** The start page of the API's host, with a first request to try and links to the reference and guides. */
import { PageHead } from "../PageHead.tsx";
import type { ComponentChildren } from "preact";
import { API_VERSION, GUIDES, OPERATIONS } from "../../lib/features/api/mod.ts";
import { KEYS_PATH } from "../../packages/proof/mod.ts";
import { MAX_PAGE_SIZE } from "../../lib/platform/http/feed.ts";
import { BODY_LIMIT } from "../../lib/platform/http/body.ts";
import { listQualifications } from "../../lib/features/qualifications/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { operationPath } from "./ApiReference.tsx";
import { TryRequest } from "./TryRequest.tsx";

const WORDS = "leadership";

/** The home page of the API's host, for people who write programs. */
export function ApiHome({ state }: { state: State }) {
  const { services: { catalogue, config }, surface } = state;
  const { name } = config.organisations[surface.organisation];
  const listing = listQualifications(catalogue, { q: WORDS }, { limit: 1, offset: 0 });
  return (
    <div class="api-home">
      <PageHead title={`${name} API`} description={state.surface.purpose} styles="api" />
      <header class="api-opening stack middle">
        <div>
          <p class="eyebrow">API {API_VERSION}</p>
          <h1>Records your program can verify</h1>
          <p class="lead">
            Register a record, follow its chain as it grows, and search qualifications, without an
            account or a key. Issue documents that anybody can check, with a key. JSON over HTTPS.
          </p>
          <p class="actions above-5">
            <a class="button primary" href="/docs">Read the reference</a>
            <a class="button" href="/docs/issuing">Issue documents</a>
          </p>
          <dl class="split-facts stack gap-3-5 text-small">
            <div>
              <dt class="muted">Base URL</dt>
              <dd class="bold">
                <code>{surface.baseUrl}</code>
              </dd>
            </div>
            <div>
              <dt class="muted">Authentication</dt>
              <dd class="bold">none; an API key to issue documents</dd>
            </div>
          </dl>
        </div>
        <TryRequest
          baseUrl={surface.baseUrl}
          words={WORDS}
          response={JSON.stringify(listing, null, 2)}
        />
      </header>
      <Operations />
      <Guides state={state} />
      <Verification state={state} />
      <Limits state={state} />
      <Errors />
    </div>
  );
}

function Part(
  { id, title, children }: { id?: string; title: string; children: ComponentChildren },
) {
  return (
    <section class="split-part stack lined one-column-960">
      <h2 class="text-large" id={id}>{title}</h2>
      <div>{children}</div>
    </section>
  );
}

/** The operations without a key. Those of issuers have a guide and a page about their errors. */
const OWN = OPERATIONS.filter(({ surfaces, group, keyScope }) =>
  surfaces.includes("api") && group !== "Discovery" && keyScope === undefined
);

function Operations() {
  return (
    <Part title="What it does">
      <ul class="api-operations below-4">
        {OWN.map(({ id, method, path, summary, description }) => (
          <li class="stack gap-1" key={id}>
            <a class="bold" href={operationPath(id)}>{summary}</a>
            <code>
              <strong>{method.toUpperCase()}</strong> {path}
            </code>
            <p class="flush muted">{withoutMarks(firstSentence(description))}</p>
          </li>
        ))}
      </ul>
      <p>
        <a href="/docs/issuing">Issuers</a>{" "}
        issue documents with an API key, one at a time or from a file, and receive events by
        webhook.
      </p>
      <p>
        The <a href="/docs">reference</a>{" "}
        has every parameter and response, and also the operations of our other hosts. Tools read
        {" "}
        <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
      </p>
    </Part>
  );
}

const firstSentence = (text: string) => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
const withoutMarks = (text: string) => text.replaceAll("`", "");

function Guides({ state: { services: { surfaces } } }: { state: State }) {
  const mcp = surfaces.url("commercial-mcp");
  return (
    <Part id="guides" title="Guides">
      <ul class="api-operations">
        {GUIDES.map(({ id, title, summary }) => (
          <li class="stack gap-1" key={id}>
            <a class="bold" href={`/docs/${id}`}>{title}</a>
            <p class="flush muted">{withoutMarks(summary)}</p>
          </li>
        ))}
        {mcp !== null && (
          <li class="stack gap-1">
            <a class="bold" href={mcp}>The MCP server</a>
            <p class="flush muted">
              Its tools search qualifications, read the standard and verify chains for agents.
            </p>
          </li>
        )}
      </ul>
    </Part>
  );
}

function Verification({ state: { surface, services: { surfaces } } }: { state: State }) {
  const trust = surfaces.baseFrom(surface, "trust");
  const foundation = surfaces.baseFrom(surface, "foundation");
  return (
    <Part title="Verify what you read">
      <p>
        Every response with a chain contains its signed head. Recompute the hashes, check the
        signature with the publisher's keys, and you need not trust this server.
      </p>
      <ul>
        {foundation !== null && (
          <li>
            <a href={`${foundation}/standard/verification`}>The procedure</a>, in the standard
          </li>
        )}
        {foundation !== null && (
          <li>
            <a href={`${foundation}/standard/test-vectors`}>Test vectors</a> for your implementation
          </li>
        )}
        {trust !== null && (
          <li>
            <a href={trust + KEYS_PATH}>The publisher's keys</a>, as a JWK Set
          </li>
        )}
        {trust !== null && (
          <li>
            <a href={`${trust}/verify`}>The verifier</a>, which runs in a browser
          </li>
        )}
        {foundation !== null && (
          <li>
            <a href={`${foundation}/verifier`}>The verifier as a module</a>{" "}
            for your own page or program, in ten lines
          </li>
        )}
      </ul>
    </Part>
  );
}

function Limits({ state: { services: { config } } }: { state: State }) {
  const { clientLimit } = config.contact;
  const streams = config.streamClientLimit;
  const rows: [string, string | null][] = [
    ["Registrations from one address", clientLimit > 0 ? `${clientLimit} an hour` : null],
    ["Open streams from one address", streams > 0 ? String(streams) : null],
    ["Events in one page", String(MAX_PAGE_SIZE)],
    ["Size of a request body", `${BODY_LIMIT / 1024} KiB`],
  ];
  return (
    <Part title="Limits">
      <dl class="facts">
        {rows.map(([what, limit]) =>
          limit !== null && [<dt key={what}>{what}</dt>, <dd key={limit}>{limit}</dd>]
        )}
      </dl>
      <p class="note">
        After 429 or 503, wait for the number of seconds in <code>Retry-After</code>.
      </p>
    </Part>
  );
}

function Errors() {
  return (
    <Part id="errors" title="Errors">
      <p>
        Errors are JSON:{" "}
        <code>{'{"error": "<code>", "message": "…"}'}</code>. The code is stable, so your program
        may rely on it. <code>issues</code>{" "}
        names each invalid field. The operations for issuers have{" "}
        <a href="/docs/errors">codes of their own</a>.
      </p>
      <table class="reference-table operation-table api-errors full-width text-medium">
        <caption class="visually-hidden bold">Errors by operation</caption>
        <thead>
          <tr>
            <th scope="col">Status and code</th>
            <th scope="col">Operation</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {OWN.flatMap(({ id, summary, errors }) =>
            Object.entries(errors).map(([status, { codes, description }]) => (
              <tr key={id + status}>
                <th class="mono" scope="row">
                  {status}
                  {codes.map((code) => (
                    <span key={code} class="block">
                      <code>{code}</code>
                    </span>
                  ))}
                </th>
                <td>{summary}</td>
                <td>{withoutMarks(description)}</td>
              </tr>
            ))
          )}
        </tbody>
      </table>
    </Part>
  );
}
