/** The parts of an MCP server's home page about clients and accounts. */
import { RECORD_REQUESTS_PER_MINUTE } from "../../lib/features/mcp/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { ClientTabs } from "./ClientTabs.tsx";
import { type ExplainerSection, FirstQuestion } from "./sections.tsx";

/** Returns how to add the organisation's server to particular clients, and what signing in changes. */
export function clientGuide({ services, surface }: State): ExplainerSection[] {
  const manifest = services.manifests[surface.organisation];
  const trust = services.surfaces.baseFrom(surface, "trust");
  const limit = manifest.requestsPerMinute;
  const raised = limit !== null && limit < RECORD_REQUESTS_PER_MINUTE && RECORD_REQUESTS_PER_MINUTE;
  return [
    {
      heading: "Add it to your client",
      id: "clients",
      body: (
        <>
          <ClientTabs manifest={manifest} />
          <div class="above-4">
            <FirstQuestion entity={surface.organisation} />
          </div>
        </>
      ),
    },
    {
      heading: "With and without an account",
      body: (
        <>
          <p>
            You need no account: every tool works without one
            {limit === null ? "" : `, with up to ${limit} requests per minute from one address`}.
            The server receives only what your assistant sends in a call.
          </p>
          {trust !== null && (
            <>
              <p>
                If you sign in to a record, your assistant can{raised
                  ? ` make up to ${raised} requests per minute and`
                  : ""}, if you allow it, read its chain, its level and the hashes of its documents.
                {" "}
                <a href={`${trust}/my-record`}>Your record</a>{" "}
                lists connected apps, and can disconnect them.
              </p>
              <p>
                If an assistant asks everyone to sign in, choose <q>Continue without a record</q>.
              </p>
            </>
          )}
        </>
      ),
    },
  ];
}
