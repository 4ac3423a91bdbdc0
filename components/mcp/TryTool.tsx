/** The form in the list of MCP tools that calls one of them from the browser. */
import { useRef, useState } from "preact/hooks";
import { argumentsOf, curlOfCall, type ToolField } from "../../lib/features/mcp/tool_guide.ts";
import { Answer, type Outcome } from "../Answer.tsx";
import { CodeBlock } from "../CodeBlock.tsx";
import { tryCall } from "./try_call.ts";

export interface TryToolProps {
  endpoint: string;
  tool: string;
  fields: ToolField[];
}

/**
 * A form that calls a tool and shows the response. Without scripts the form is hidden, and the command
 * to copy remains, which is folded.
 */
export function TryTool({ endpoint, tool, fields }: TryToolProps) {
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(fields.map(({ name, example }) => [name, example]))
  );
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const round = useRef(0);
  const parsed = argumentsOf(fields, texts);
  const problem = parsed.ok ? null : parsed.field;
  const command = useRef("");
  if (parsed.ok) command.current = curlOfCall(endpoint, tool, parsed.args);

  const call = async (event: Event) => {
    event.preventDefault();
    if (busy || !parsed.ok) return;
    setBusy(true);
    const outcome = await tryCall(tool, parsed.args);
    round.current++;
    setOutcome(outcome);
    setBusy(false);
  };
  return (
    <div class="try box">
      <form class="try-form" aria-label={`Call ${tool}`} noValidate onSubmit={call}>
        {fields.map((field) => (
          <TryField
            key={field.name}
            id={`${tool}-${field.name}`}
            field={field}
            text={texts[field.name]}
            isProblem={problem === field.name}
            onText={(text) => setTexts({ ...texts, [field.name]: text })}
          />
        ))}
        <div class="wrap try-actions gap-3">
          <button
            type="submit"
            class="button primary small anywhere"
            aria-busy={busy}
            aria-disabled={problem !== null}
          >
            Call {tool}
          </button>
        </div>
      </form>
      <div class="screen-only" role="status">
        {outcome !== null && <Answer key={round.current} outcome={outcome} of={tool} />}
      </div>
      <details class="try-more">
        <summary>
          The same from a terminal<span class="visually-hidden">: {tool}</span>
        </summary>
        <CodeBlock label="In a terminal" code={command.current} />
      </details>
    </div>
  );
}

function TryField({ id, field, text, isProblem, onText }: {
  id: string;
  field: ToolField;
  text: string;
  isProblem: boolean;
  onText: (text: string) => void;
}) {
  const control = {
    id,
    name: field.name,
    class: field.parse === "json" ? "mono" : undefined,
    "aria-required": field.required,
    "aria-invalid": isProblem,
    "aria-describedby": isProblem ? `${id}-problem` : undefined,
    autocomplete: "off",
    spellcheck: false,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onText(currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>
        <code>{field.name}</code>
        {field.required && <span class="try-required text-small">required</span>}
      </label>
      {field.choices !== null
        ? (
          <select {...control} value={text}>
            <option value="">{field.choices.length === 1 ? "omitted" : "any"}</option>
            {field.choices.map((choice) => (
              <option key={choice} value={choice} selected={choice === text}>{choice}</option>
            ))}
          </select>
        )
        : field.parse === "json"
        ? <textarea {...control} rows={6} value={text} />
        : (
          <input
            {...control}
            type="text"
            inputMode={field.parse === "number" ? "numeric" : undefined}
            value={text}
          />
        )}
      {isProblem && <span class="problem" id={`${id}-problem`}>This is not valid JSON yet.</span>}
    </div>
  );
}
