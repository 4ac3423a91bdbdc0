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
        What programs and other pages call. Errors are JSON:{" "}
        <code>{'{"error": "<stable_code>", "message": "…"}'}</code>.
      </p>
      <dl class="facts">
        <dt>
          <code>POST /api/ir/register</code>
        </dt>
        <dd>registers an enquiry as a verifiable record</dd>
        <dt>
          <code>GET /api/chain/:hash</code>
        </dt>
        <dd>a record's events and its signed head, by pages</dd>
        <dt>
          <code>/components/contact-form.js</code>
        </dt>
        <dd>the contact form, for any page</dd>
      </dl>
      {mcp !== null && (
        <p>
          Agents are served by the <a href={mcp}>MCP server</a>.
        </p>
      )}
    </section>
  );
}
