/** The page `/docs` on the API's host, and the paths of the pages below it. */
import { Fragment } from "preact";
import { API_VERSION, GUIDES, type ReferenceGroup } from "../../lib/features/api/mod.ts";

/** The index of the API's reference: conventions, and the operations by group. */
export function ApiReference({ groups, verifierUrl }: {
  groups: ReferenceGroup[];
  /** The guide of the verifier; null if this deployment does not serve it. */
  verifierUrl: string | null;
}) {
  return (
    <article class="reference">
      <header class="prose">
        <p class="eyebrow">API {API_VERSION}</p>
        <h1>API reference</h1>
        <p class="lead">
          Every operation, with its parameters, its responses and an example. For tools:{" "}
          <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
        </p>
        <p>
          The guides are {GUIDES.map(({ id, title }, i) => (
            <Fragment key={id}>
              {i > 0 && ", "}
              <a href={`/docs/${id}`}>{title}</a>
            </Fragment>
          ))}.{verifierUrl !== null && (
            <>
              {" "}
              To verify what you read, <a href={verifierUrl}>load the verifier as a module</a>.
            </>
          )}
        </p>
      </header>
      {groups.map(({ name, description, operations }) => (
        <section class="above-6" key={name} aria-labelledby={anchorOf(name)}>
          <h2 id={anchorOf(name)}>{name}</h2>
          <p class="muted">{description}</p>
          <ul class="plain operation-list">
            {operations.map(({ id, summary, method, path }) => (
              <li class="wrap baseline gap-1-3 ruled" key={id} id={id}>
                <a href={operationPath(id)}>{summary}</a>
                <span class="mono text-small anywhere">
                  <strong class="accent bold">{method}</strong> <code>{path}</code>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section class="above-6 prose" aria-labelledby="conventions">
        <h2 id="conventions">Conventions</h2>
        <ul>
          <li>
            Errors are JSON with a stable code:{" "}
            <code>{'{"error": "<code>", "message": "…", "issues": {…}}'}</code>. <code>issues</code>
            {" "}
            names invalid fields. Any operation may also return 405, 413, 415, 500{" "}
            <code>internal</code> and 503 <code>unavailable</code>. See{" "}
            <a href="/docs/errors">errors of the API for issuers</a>.
          </li>
          <li>
            Accept members, kinds of events and codes that you do not know. Adding one is not a
            breaking change. The <a href="/docs/changelog">changelog</a> has every version.
          </li>
          <li>
            Times are RFC 3339 in UTC. After 429 and 503, wait for <code>Retry-After</code> seconds.
          </li>
          <li>
            Issuers send an API key as{" "}
            <code>Authorization: Bearer</code>. Holders are identified by the cookie{" "}
            <code>record_session</code> of the trust surface. Programs must not send{" "}
            <code>Origin</code>.
          </li>
        </ul>
      </section>
    </article>
  );
}

/** Returns the path of the page about an operation. */
export const operationPath = (id: string): string => `/docs/operations/${id}`;

export const anchorOf = (group: string) => `group-${group.toLowerCase().replaceAll(" ", "-")}`;
