/** The list of tools on the home page of an MCP server, with their arguments and schemas. */
import { type Listing, type ToolField, toolFields } from "../../lib/features/mcp/mod.ts";
import { TryTool } from "./TryTool.tsx";

/** Every tool in a line that opens its arguments and a form that calls it. */
export const ToolReference = ({ tools, open, endpoint }: {
  tools: readonly Listing[];
  /** The name of the tool that is open at first. */
  open: string;
  endpoint: string;
}) => (
  <div class="tools above-5">
    {tools.map((tool) => (
      <Tool
        key={tool.name}
        tool={tool}
        endpoint={endpoint}
        open={tool.name === open}
      />
    ))}
  </div>
);

function Tool({ tool, endpoint, open }: { tool: Listing; endpoint: string; open: boolean }) {
  const { name, description, inputSchema, annotations } = tool;
  const fields = toolFields(inputSchema);
  return (
    <details class="fold ruled" open={open}>
      <summary>
        <h3 class="text-medium flush" id={`${name}-title`}>
          <code>{name}</code>
        </h3>{" "}
        <span class="muted text-medium">{annotations.title}</span>
      </summary>
      {/* Browsers open the details around the target of a link. */}
      <section
        class="tool gap-5-6 top one-column-960 block-print"
        id={name}
        aria-labelledby={`${name}-title`}
      >
        <div>
          <p>{description}</p>
          {fields.length === 0
            ? <p class="note">This tool takes no arguments.</p>
            : <Arguments of={name} fields={fields} />}
          <details class="try-more">
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
    </details>
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
              <span class={`block text-small ${required ? "try-required" : "muted"}`}>
                {required ? "required" : "optional"}
              </span>
            </th>
            <td class="ruled">
              <code>{type}</code>
              {limits.map((limit) => <span key={limit} class="block muted text-small">{limit}
              </span>)}
            </td>
            <td class="ruled">{description}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
