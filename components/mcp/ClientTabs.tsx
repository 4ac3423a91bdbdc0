import type { ComponentChildren } from "preact";
import { installs, type Manifest } from "../../lib/features/mcp/mod.ts";
import { CodeBlock } from "../CodeBlock.tsx";

interface Client {
  name: string;
  steps: ComponentChildren;
}

/**
 * How to add a server to each client, one at a time. The tabs are radio buttons, so they need no
 * scripts. In print, every client is shown.
 */
export function ClientTabs({ manifest }: { manifest: Manifest }) {
  return (
    <fieldset class="wrap client-tabs shrinks flush block-print">
      <legend class="visually-hidden">Your client</legend>
      {clientsOf(manifest).map(({ name, steps }, i) => (
        <>
          <input
            key={name}
            type="radio"
            class="visually-hidden"
            id={`client-${i}`}
            name="client"
            value={name}
            checked={i === 0}
          />
          <label class="muted text-medium" for={`client-${i}`}>{name}</label>
          <div class="client-steps full-width block-print">{steps}</div>
        </>
      ))}
    </fieldset>
  );
}

function clientsOf(manifest: Manifest): Client[] {
  const { claudeCode, codex, cursor, cursorFile, json, vscode, vscodeFile } = installs(manifest);
  return [
    {
      name: "Claude Code",
      steps: (
        <>
          <CodeBlock label="In a terminal" code={claudeCode} />
          <p class="note">
            Then start <code>claude</code>, and type <code>/mcp</code> to see the server's tools.
          </p>
        </>
      ),
    },
    {
      name: "Claude",
      steps: (
        <>
          <p>
            On the web and desktop, open <strong>Settings</strong>, then{" "}
            <strong>Connectors</strong>, and choose{" "}
            <strong>Add custom connector</strong>. Paste this URL:
          </p>
          <CodeBlock label="Server URL" code={manifest.endpoint} />
        </>
      ),
    },
    {
      name: "Cursor",
      steps: (
        <>
          <p class="actions">
            <a class="button" href={cursor}>Add to Cursor</a>
          </p>
          <p class="note">Cursor must be installed. It asks before it adds the server.</p>
          <CodeBlock label="Or in .cursor/mcp.json" code={cursorFile} />
        </>
      ),
    },
    {
      name: "VS Code",
      steps: (
        <>
          <p class="actions">
            <a class="button" href={vscode}>Add to VS Code</a>
          </p>
          <p class="note">VS Code must be installed. It asks before it adds the server.</p>
          <CodeBlock label="Or in .vscode/mcp.json" code={vscodeFile} />
        </>
      ),
    },
    {
      name: "Codex",
      steps: <CodeBlock label="In a terminal" code={codex} />,
    },
    {
      name: "Other",
      steps: (
        <>
          <CodeBlock label="Any MCP-compatible client" code={json} />
          <p class="note">
            The file's location, and sometimes a field's name, differs between clients. The
            transport is Streamable HTTP.
          </p>
        </>
      ),
    },
  ];
}
