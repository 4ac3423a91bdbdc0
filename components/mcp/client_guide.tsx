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
            You need no account. Every tool is read-only and works without one
            {limit === null ? "" : `, with up to ${limit} requests per minute from one address`}.
            The server receives what your assistant sends in a call, and nothing else from your
            conversation.
          </p>
          {trust !== null && (
            <>
              <p>
                If you have registered a record, you can sign in to it when your assistant offers
                to. Your assistant can then{raised
                  ? ` make up to ${raised} requests per minute and`
                  : ""}, if you allow it, read your record: its chain of events, its level and the
                hashes of its documents. On <a href={`${trust}/my-record`}>your record</a>{" "}
                you see every connected app and can disconnect it.
              </p>
              <p>
                Some assistants ask everyone to sign in. If you have no record, choose{" "}
                <q>Continue without a record</q>: the tools work as they do without an account.
              </p>
            </>
          )}
        </>
      ),
    },
  ];
}
