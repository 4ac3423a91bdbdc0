/** Installation steps for Claude, Cursor, VS Code and other MCP clients, as tabs. */
import type { ComponentChildren } from "preact";
import { installs, type Manifest } from "../../lib/features/mcp/mod.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { RadioTabs } from "../RadioTabs.tsx";

interface Client {
  title: string;
  content: ComponentChildren;
}

/** How to add a server to each client, one at a time. */
export function ClientTabs({ manifest }: { manifest: Manifest }) {
  return <RadioTabs name="client" legend="Your client" tabs={clientsOf(manifest)} />;
}

function clientsOf(manifest: Manifest): Client[] {
  const { claudeCode, codex, cursor, cursorFile, json, vscode, vscodeFile } = installs(manifest);
  return [
    {
      title: "Claude Code",
      content: (
        <>
          <CodeBlock label="In a terminal" code={claudeCode} />
          <p class="note">
            Then start <code>claude</code>, and type <code>/mcp</code> to see the server's tools.
          </p>
        </>
      ),
    },
    {
      title: "Claude",
      content: (
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
      title: "Cursor",
      content: (
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
      title: "VS Code",
      content: (
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
      title: "Codex",
      content: <CodeBlock label="In a terminal" code={codex} />,
    },
    {
      title: "Other",
      content: (
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
