import { type ComponentChildren, Fragment } from "preact";
import {
  API_VERSION,
  CHANGES,
  type Field,
  GUIDES,
  type ReferenceGroup,
  type ReferenceOperation,
  type ReferenceResponse,
} from "../../lib/features/api/mod.ts";
import { CodeBlock } from "../CodeBlock.tsx";

/** The reference of the API for people. It works without scripts, which only copy the examples. */
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
        <h2 id="conventions">Conventions</h2>
        <ul>
          <li>
            Errors are JSON with a stable code:{" "}
            <code>{'{"error": "<code>", "message": "…", "issues": {…}}'}</code>. <code>issues</code>
            {" "}
            names invalid fields. Any operation may also return 405, 413, 415, 500{" "}
            <code>internal</code> and 503 <code>unavailable</code>.
          </li>
          <li>
            Accept members, kinds of events and codes that you do not know. Adding one is not a
            breaking change.
          </li>
          <li>
            Times are RFC 3339 in UTC. After 429 and 503, wait for <code>Retry-After</code> seconds.
          </li>
          <li>
            Holders are identified by the cookie <code>record_session</code>{" "}
            of the trust surface. Programs must not send <code>Origin</code>.
          </li>
        </ul>
      </header>
      <nav class="reference-contents stack" aria-label="Operations">
        {groups.map(({ name, operations }) => (
          <div key={name}>
            <h2 class="below-2">
              <a class="ink" href={`#${anchorOf(name)}`}>{name}</a>
            </h2>
            <ul class="plain text-medium">
              {operations.map(({ id, summary }) => (
                <li key={id}>
                  <a class="muted" href={`#${id}`}>{summary}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {groups.map(({ name, description, operations }) => (
        <section key={name} aria-labelledby={anchorOf(name)}>
          <h2 class="reference-group" id={anchorOf(name)}>{name}</h2>
          <p class="muted">{description}</p>
          {operations.map((operation) => <OperationView key={operation.id} {...operation} />)}
        </section>
      ))}
      <section class="prose" aria-labelledby="changes">
        <h2 class="reference-group" id="changes">Changes</h2>
        <dl class="facts">
          {CHANGES.flatMap(({ version, date, text }) => [
            <dt key={version}>
              {version}, <time datetime={date}>{date}</time>
            </dt>,
            <dd key={`${version} text`}>{text}</dd>,
          ])}
        </dl>
      </section>
    </article>
  );
}

const anchorOf = (group: string) => `group-${group.toLowerCase()}`;

function OperationView(operation: ReferenceOperation) {
  const { id, method, path, summary, description, servers, holder, appScope, keyScope } = operation;
  const { parameters, body, responses, result, curl, response, stream } = operation;
  return (
    <section class="operation pad-top-5 above-5 ruled" aria-labelledby={id}>
      <h3 class="below-2" id={id}>{summary}</h3>
      <p class="below-3 mono anywhere">
        <strong class="accent bold">{method}</strong> <code>{path}</code>
      </p>
      <p>
        <Text text={description} />
      </p>
      <p class="note">
        {servers.map(({ url, description }, i) => (
          <span key={url}>
            {i > 0 && ", "}
            {description}: <code>{url}</code>
          </span>
        ))}
        {holder && ". Requires the session of a holder"}
        {appScope !== null && (
          <>
            {" "}or an app's token with the scope <code>{appScope}</code>
          </>
        )}
        {holder && "."}
        {keyScope === "any" && ". Requires an API key."}
        {keyScope !== null && keyScope !== "any" && (
          <>
            . Requires an API key with the scope <code>{keyScope}</code>.
          </>
        )}
      </p>
      <Fields title="Parameters" of={summary} fields={parameters} />
      <Fields title="Body" of={summary} fields={body} />
      <Responses of={summary} responses={responses} />
      {result.length > 0 && (
        <details>
          <summary>Members of the response</summary>
          <Fields title="Response" of={summary} fields={result} />
        </details>
      )}
      <CodeBlock label="Request" code={curl} />
      {response !== null && <CodeBlock label="Response" code={response} />}
      {stream !== null && <CodeBlock label="Stream" code={stream} />}
    </section>
  );
}

function Fields({ title, of, fields }: { title: string; of: string; fields: Field[] }) {
  if (fields.length === 0) return null;
  return (
    <Table caption={title} of={of} head={["Name", "Type", "Meaning"]}>
      {fields.map(({ name, type, required, description }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
            {required && <span class="block muted text-small">required</span>}
          </th>
          <td>
            <code>{type}</code>
          </td>
          <td>
            <Text text={description} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Responses({ of, responses }: { of: string; responses: ReferenceResponse[] }) {
  return (
    <Table caption="Responses" of={of} head={["Status", "error", "Meaning"]}>
      {responses.map(({ status, description, codes, headers }) => (
        <tr key={status}>
          <th scope="row">{status === "default" ? "others" : status}</th>
          <td>
            {codes.map((code) => (
              <span key={code} class="block">
                <code>{code}</code>
              </span>
            ))}
          </td>
          <td>
            <Text text={description} />
            {headers.length > 0 && <span class="note block">Headers: {headers.join(", ")}</span>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Table(
  { caption, of, head, children }: {
    caption: string;
    of: string;
    head: string[];
    children: ComponentChildren;
  },
) {
  return (
    <table class="reference-table operation-table full-width text-medium">
      <caption class="bold">
        {caption}
        <span class="visually-hidden">of “{of}”</span>
      </caption>
      <thead>
        <tr>{head.map((text) => <th key={text} scope="col">{text}</th>)}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Text with code in backticks. */
const Text = ({ text }: { text: string }) => (
  <>{text.split("`").map((part, i) => i % 2 === 1 ? <code key={i}>{part}</code> : part)}</>
);
