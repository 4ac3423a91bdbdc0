import type { State } from "../../lib/state.ts";

/** What a person sees who opens the API's host. */
export function ApiHome({ state }: { state: State }) {
  const { surfaces } = state.services;
  const mcp = surfaces.url("commercial-mcp");
  return (
    <section class="prose">
      <p class="eyebrow">API</p>
      <h1>For programs</h1>
      <p class="lead">
        The endpoints of the contact module will answer here. Errors are JSON:{" "}
        <code>{'{"error": "<stable_code>", "message": "…"}'}</code>.
      </p>
      {mcp !== null && (
        <p>
          Agents are served today, by the <a href={mcp}>MCP server</a>.
        </p>
      )}
    </section>
  );
}
