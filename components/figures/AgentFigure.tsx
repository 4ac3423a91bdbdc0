import type { Manifest } from "../../lib/discovery/mod.ts";

/** The way of an agent: from any page of the site to a tool's answer. */
export function AgentFigure({ manifest }: { manifest: Manifest }) {
  const steps = [
    { title: "Any page", text: "says where the server is", code: `Link: rel="mcp-server"` },
    {
      title: "Server card",
      text: "says what it can do",
      code: "/.well-known/mcp/server-card.json",
    },
    { title: "Handshake", text: "agrees on a revision", code: manifest.protocolVersion },
    { title: "Tools", text: "answer over real data", code: "read · search · verify" },
  ];
  return (
    <ol class="way" aria-label="The way of an agent">
      {steps.map(({ title, text, code }) => (
        <li>
          <strong>{title}</strong>
          <span>{text}</span>
          <code>{code}</code>
        </li>
      ))}
    </ol>
  );
}
