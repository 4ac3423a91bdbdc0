/** The page of the API reference about error codes: what each means and what a program should do. */
import { PageHead } from "../PageHead.tsx";
import { listErrorCodes } from "../../lib/features/api/mod.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { Table } from "./OperationTables.tsx";
import { Text } from "./Text.tsx";

/** The stable codes of the API for issuers. */
export function ErrorCodesPage() {
  return (
    <article>
      <PageHead
        title="Errors of the API"
        description="Every code of the API for issuers: what it means, what to do, and whether to retry."
        styles="docs"
      />
      <header class="prose">
        <p class="eyebrow">
          <a href="/docs">API reference</a>
        </p>
        <h1>Errors</h1>
        <p class="lead">
          Every code that the API for issuers returns, with what to do about it.
        </p>
        <p>
          The status says what kind of error it is, and <code>error</code>{" "}
          says which one. Both are stable, so a program may depend on them. <code>message</code>
          {" "}
          is for people and may change. <code>issues</code> has a message for each invalid field:
        </p>
        <CodeBlock label="An error" code={EXAMPLE} />
        <p>
          Treat a code that you do not know by its status: do not repeat a request after 4xx, except
          after 429 and where <code>Retry-After</code> is given.
        </p>
      </header>
      <Table
        caption="Codes"
        kind="code-table"
        head={["Status and code", "Meaning and what to do", "Send again"]}
      >
        {listErrorCodes().map(({ code, statuses, meaning, action, retry, retries }) => (
          <tr key={code} id={code}>
            <th scope="row">
              <span class="block muted">{statuses.join(", ")}</span>
              <code class="anywhere">{code}</code>
            </th>
            <td>
              <Text text={meaning} />
              <span class="note block">
                <Text text={action} />
              </span>
            </td>
            <td class={retries ? undefined : "muted"}>
              <Text text={retry} />
            </td>
          </tr>
        ))}
      </Table>
    </article>
  );
}

const EXAMPLE = JSON.stringify(
  {
    error: "invalid_request",
    message: "Some fields are missing or invalid.",
    issues: { "recipient.email": "Send the recipient’s email address." },
  },
  null,
  2,
);
