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
      <ol class="plain stack" aria-label="How an agent finds the tools">
        {steps.map(({ title, text, code }) => (
          <li class="relative flex column gap-1 text-medium">
            <strong>{title}</strong>
            <span class="muted">{text}</span>
            <code class="accent">{code}</code>
          </li>
        ))}
      </ol>
      <figcaption class="above-4 muted text-medium">
        <strong class="ink">Figure 2</strong> An agent finds the tools from any page of this site.
      </figcaption>
    </figure>
  );
}
