import { useLayoutEffect, useRef } from "preact/hooks";
import { CONFIG } from "../../lib/contact/config.ts";
import { type FieldName, FIELDS } from "./draft.ts";
import { idOf } from "./Field.tsx";
import type { Failure } from "./register.ts";

/** What is wrong, in one place that takes the focus, with a way to each field. */
export function ProblemSummary(
  { failure, onField, onSendAsNew }: {
    failure: Failure;
    onField: (field: FieldName) => void;
    onSendAsNew: () => void;
  },
) {
  const summary = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => summary.current!.focus(), [failure]);
  const { title, text, issues } = failure;
  const listed = FIELDS.filter((field) => issues[field] !== undefined);
  return (
    <div ref={summary} class="summary" tabindex={-1} role="group" aria-labelledby="summary-title">
      <strong id="summary-title">{title}</strong>
      {text !== "" && <p>{text}</p>}
      {listed.length > 0 && (
        <ul>
          {listed.map((field) => (
            <li key={field}>
              <a
                href={`#${idOf(field)}`}
                onClick={(event) => {
                  event.preventDefault(); // the page's own anchors know nothing of this root
                  onField(field);
                }}
              >
                {issues[field]}
              </a>
            </li>
          ))}
        </ul>
      )}
      {failure.conflict && (
        <button type="button" class="button small" onClick={onSendAsNew}>
          {CONFIG.COPY.SEND_AS_NEW}
        </button>
      )}
    </div>
  );
}
