/** The section “Connected apps” of “My record”. */
import type { UsedGrant } from "../../lib/features/oauth/mod.ts";
import { SCOPE_NAMES } from "../../lib/features/oauth/mod.ts";
import { formatDateTime } from "../../lib/base/time.ts";
import { FoldedSection } from "../Section.tsx";
import { Time } from "../Time.tsx";

/** The apps that are connected to a record, each with a button that disconnects it. */
export function AgentsSection({ agents }: { agents: readonly UsedGrant[] }) {
  return (
    <FoldedSection
      id="agents"
      title="Connected apps"
      state={agents.length === 0 ? "None" : agents.length}
      lead="Apps that you allowed to use our MCP servers with your record, or to get its notifications."
    >
      {agents.length === 0
        ? (
          <p class="muted">
            No app is connected. An app that wants to use your record asks you for approval.
          </p>
        )
        : (
          <>
            <ul class="agents below-4">
              {agents.map((agent) => <Agent key={agent.id} agent={agent} />)}
            </ul>
            {agents.length > 1 && (
              <form method="post" action="/my-record/agents">
                <input type="hidden" name="act" value="disconnect_all" />
                <button type="submit" class="button small">Disconnect all apps</button>
              </form>
            )}
          </>
        )}
    </FoldedSection>
  );
}

function Agent({ agent }: { agent: UsedGrant }) {
  const { id, client_name, redirect_host, resource, scopes, created_at, last_used } = agent;
  return (
    <li class="cluster gap-4 apart">
      <div>
        <strong class="anywhere">{client_name}</strong>
        <p class="flush muted text-medium anywhere">
          Returns to {redirect_host} · connected <Time at={created_at} day /> ·{" "}
          {last_used === null ? "not used yet" : `last used ${formatDateTime(last_used)}`}
        </p>
        <p class="flush muted text-medium anywhere">
          {scopes.map((scope) => SCOPE_NAMES[scope]).join(" · ")} · {new URL(resource).host}
        </p>
      </div>
      <form class="rigid" method="post" action="/my-record/agents">
        <input type="hidden" name="act" value="disconnect" />
        <input type="hidden" name="agent" value={id} />
        <button type="submit" class="button small" aria-label={`Disconnect ${client_name}`}>
          Disconnect
        </button>
      </form>
    </li>
  );
}
