import { type Listing, type ToolField, toolFields } from "../../lib/features/mcp/mod.ts";
import { TryTool } from "./TryTool.tsx";

/** Every tool with its arguments, and a form that calls it. */
export function ToolReference({ tools, endpoint }: {
  tools: readonly Listing[];
  endpoint: string;
}) {
  return (
    <>
      <nav class="tool-list" aria-label="Tools">
        <ul class="plain stack gap-3-5 above-5">
          {tools.map(({ name, annotations }) => (
            <li class="stack ruled" key={name}>
              <a href={`#${name}`}>
                <code>{name}</code>
              </a>
              <span class="note">{annotations.title}</span>
            </li>
          ))}
        </ul>
      </nav>
      {tools.map((tool) => <ToolSection key={tool.name} tool={tool} endpoint={endpoint} />)}
    </>
  );
}

function ToolSection({ tool, endpoint }: { tool: Listing; endpoint: string }) {
  const { name, description, inputSchema } = tool;
  const fields = toolFields(inputSchema);
  return (
    <section
      class="tool gap-5-6 top above-6 ruled one-column-960 block-print"
      aria-labelledby={name}
    >
      <div>
        <h3 id={name}>
          <a class="ink" href={`#${name}`}>
            <code>{name}</code>
          </a>
        </h3>
        <p>{description}</p>
        {fields.length === 0
          ? <p class="note">This tool takes no arguments.</p>
          : <Arguments of={name} fields={fields} />}
        <details class="tool-schema">
          <summary>
            Input schema<span class="visually-hidden">of {name}</span>
          </summary>
          <pre
            tabIndex={0}
            role="group"
            aria-label={`Input schema of ${name}`}
          ><code>{JSON.stringify(inputSchema, null, 2)}</code></pre>
        </details>
      </div>
      <TryTool endpoint={endpoint} tool={name} fields={fields} />
    </section>
  );
}

function Arguments({ of, fields }: { of: string; fields: ToolField[] }) {
  return (
    <table class="reference-table tool-arguments full-width text-medium">
      <caption class="bold">
        Arguments<span class="visually-hidden">of {of}</span>
      </caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type and limits</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, type, required, limits, description }) => (
          <tr key={name}>
            <th class="ruled" scope="row">
              <code>{name}</code>
              <span class={required ? "try-required" : "muted"}>
                {required ? "required" : "optional"}
              </span>
            </th>
            <td class="ruled">
              <code>{type}</code>
              {limits.map((limit) => <span key={limit} class="muted">{limit}</span>)}
            </td>
            <td class="ruled">{description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
