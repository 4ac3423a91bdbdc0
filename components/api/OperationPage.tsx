/** The page of the API reference about one operation: its facts, examples, parameters and responses. */
import { PageHead } from "../PageHead.tsx";
import type { OperationText, ReferenceOperation } from "../../lib/features/api/mod.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { anchorOf, operationPath } from "./ApiReference.tsx";
import { Errors, Fields, Responses } from "./OperationTables.tsx";
import { Samples } from "./Samples.tsx";
import { Text } from "./Text.tsx";

/** The page about an operation. It works without scripts, which only copy the examples. */
export function OperationPage({ text: { group, operation } }: { text: OperationText }) {
  const { method, path, summary, description, parameters, body, responses, result } = operation;
  const { samples, curl, response, stream } = operation;
  const isError = ({ status }: { status: string }) => Number(status) >= 400 || status === "default";
  return (
    <article class="reading-page">
      <PageHead
        title={`${summary} · API reference`}
        description={description.replaceAll("`", "")}
        styles="docs"
      />
      <div class="published-text operation">
        <p class="eyebrow">
          <a href="/docs">API reference</a> ·{" "}
          <a href={`/docs#${anchorOf(group.name)}`}>{group.name}</a>
        </p>
        <h1 class="below-3">{summary}</h1>
        <p class="below-3 mono anywhere">
          <strong class="accent bold">{method}</strong> <code>{path}</code>
        </p>
        <p>
          <Text text={description} />
        </p>
        <Facts {...operation} />
        {samples.length > 0
          ? <Samples samples={samples} />
          : <CodeBlock label="Request" code={curl} />}
        {response !== null && <CodeBlock label="Response" code={response} />}
        {stream !== null && <CodeBlock label="Stream" code={stream} />}
        <Fields title="Parameters" fields={parameters} />
        <Fields title="Body" fields={body} />
        <Responses responses={responses.filter((each) => !isError(each))} />
        {result.length > 0 && (
          <details>
            <summary>Members of the response</summary>
            <Fields title="Response" fields={result} isResponse />
          </details>
        )}
        <Errors responses={responses.filter(isError)} />
      </div>
      <div class="published-side">
        <nav class="reference-contents" aria-labelledby="group">
          <h2 class="text-medium below-2" id="group">{group.name}</h2>
          <ul class="plain text-medium">
            {group.operations.map(({ id, summary }) => (
              <li key={id}>
                <a
                  class="muted"
                  href={operationPath(id)}
                  aria-current={id === operation.id ? "page" : undefined}
                >
                  {summary}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </article>
  );
}

/** Where the operation is, and who may call it. */
function Facts({ servers, holder, appScope, keyScope }: ReferenceOperation) {
  return (
    <dl class="facts below-5">
      <dt>Base URL</dt>
      <dd>
        {servers.map(({ url, description }) => (
          <span class="block" key={url}>
            <code class="anywhere">{url}</code>
            {servers.length > 1 && ` (${description})`}
          </span>
        ))}
      </dd>
      <dt>Authentication</dt>
      <dd>
        {keyScope === "any" && "Any API key"}
        {keyScope !== null && keyScope !== "any" && (
          <>
            An API key with the scope <code>{keyScope}</code>
          </>
        )}
        {holder && "The session of a holder"}
        {appScope !== null && (
          <>
            {" "}or an app's token with the scope <code>{appScope}</code>
          </>
        )}
        {keyScope === null && !holder && "None"}
      </dd>
    </dl>
  );
}
