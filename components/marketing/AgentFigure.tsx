import type { Manifest } from "../../lib/features/mcp/mod.ts";

/** A figure of the steps that lead an agent from a page to the tools. */
export function AgentFigure({ manifest }: { manifest: Manifest }) {
  const steps = [
    { title: "Any page", text: "says where the server is", code: `Link: rel="mcp-server"` },
    {
      title: "Server card",
      text: "says what it can do",
      code: "/.well-known/mcp/server-card.json",
    },
    { title: "Handshake", text: "agrees on a revision", code: manifest.protocolVersion },
    { title: "Tools", text: "return real data", code: "read · search · verify" },
  ];
  return (
    <figure class="agent-figure">
      <ol class="plain" aria-label="How an agent finds the tools">
        {steps.map(({ title, text, code }) => (
          <li>
            <strong>{title}</strong>
            <span>{text}</span>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <figcaption>
        <strong>Figure 2</strong> An agent finds the tools from any page of this site.
      </figcaption>
    </figure>
  );
}
