/** The tables of an operation in the API reference: fields, responses and errors. */
import { type ComponentChildren, Fragment } from "preact";
import type { Field, ReferenceResponse } from "../../lib/features/api/mod.ts";
import { Text } from "./Text.tsx";

export function Fields(
  { title, fields, isResponse = false }: { title: string; fields: Field[]; isResponse?: boolean },
) {
  if (fields.length === 0) return null;
  return (
    <Table caption={title} head={["Name", "Type", "Meaning"]}>
      {fields.map(({ name, type, required, description }) => (
        <tr key={name}>
          <th scope="row">
            <code>
              {name.split(".").map((part, i) => (
                <Fragment key={i}>
                  {i > 0 && (
                    <>
                      .<wbr />
                    </>
                  )}
                  {part}
                </Fragment>
              ))}
            </code>
            {required && !isResponse && <span class="block muted text-small">required</span>}
            {!required && isResponse && <span class="block muted text-small">optional</span>}
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

/** The responses that are not errors. */
export function Responses({ responses }: { responses: ReferenceResponse[] }) {
  return (
    <Table caption="Responses" head={["Status", "Headers", "Meaning"]}>
      {responses.map(({ status, description, headers }) => (
        <tr key={status}>
          <th scope="row">{status}</th>
          <td>
            {headers.map((name) => <span class="block" key={name}>{name}</span>)}
          </td>
          <td>
            <Text text={description} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** The errors, with what to do about each code of the API for issuers. */
export function Errors({ responses }: { responses: ReferenceResponse[] }) {
  return (
    <Table caption="Errors" kind="error-table" head={["Status", "error", "Meaning"]}>
      {responses.map(({ status, description, codes, actions }) => (
        <tr key={status}>
          <th scope="row">{status === "default" ? "others" : status}</th>
          <td>
            {codes.map((code) => (
              <span key={code} class="block">
                {code in actions
                  ? (
                    <a href={`/docs/errors#${code}`}>
                      <code>{code}</code>
                    </a>
                  )
                  : <code>{code}</code>}
              </span>
            ))}
          </td>
          <td>
            <Text text={description} />
            {Object.entries(actions).map(([code, action], _, { length }) => (
              <span class="note block" key={code}>
                {length > 1 && (
                  <>
                    <code>{code}</code>:{" "}
                  </>
                )}
                <Text text={action} />
              </span>
            ))}
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function Table(
  { caption, head, kind = "", children }: {
    caption: string;
    head: string[];
    /** A further class, for the widths of the columns. */
    kind?: string;
    children: ComponentChildren;
  },
) {
  return (
    <table class={`reference-table operation-table full-width text-medium ${kind}`}>
      <caption class="bold">{caption}</caption>
      <thead>
        <tr>{head.map((text) => <th key={text} scope="col">{text}</th>)}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
