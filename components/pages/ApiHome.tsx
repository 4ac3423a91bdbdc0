import type { State } from "../../lib/state.ts";

export function ApiHome({ state }: { state: State }) {
  const { surfaces } = state.services;
  const mcp = surfaces.url("commercial-mcp");
  return (
    <section class="prose">
      <p class="eyebrow">API</p>
      <h1>For programs</h1>
      <p class="lead">
        Endpoints for programs and other pages. Errors are JSON:{" "}
        <code>{'{"error": "<stable_code>", "message": "…"}'}</code>.
      </p>
      <p class="actions">
        <a class="button primary" href="/docs">Reference</a>
        <a class="button" href="/openapi.json">OpenAPI 3.1</a>
      </p>
      <dl class="facts">
        <dt>
          <code>POST /api/ir/register</code>
        </dt>
        <dd>registers an enquiry as a verifiable record</dd>
        <dt>
          <code>GET /api/chain/:hash</code>
        </dt>
        <dd>returns a record's events and signed head, in pages or as a live stream</dd>
        <dt>
          <code>/components/contact-form.js</code>
        </dt>
        <dd>the contact form for other pages</dd>
      </dl>
      {mcp !== null && (
        <p>
          Agents use the <a href={mcp}>MCP server</a>.
        </p>
      )}
    </section>
  );
}
