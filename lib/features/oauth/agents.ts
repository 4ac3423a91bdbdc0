/** The agents (AI clients) that a holder has connected to a record: connecting, listing and disconnecting them. */
import { transact } from "../../platform/kv/mod.ts";
import type { QueuedMail } from "../../platform/mail/mod.ts";
import {
  addAccess,
  type Notices,
  type Reader,
  readExisting,
  readRecord,
  type RecordData,
} from "../records/mod.ts";
import { connectionProblem } from "./consent.ts";
import { endGrantsOf, type GrantDeps, grantIds, grantsOf, revokeGrant } from "./grants.ts";
import { BY_GRANT, codeRows, type Grant, grants, handoffRows, storedTokens } from "./rows.ts";
import { SCOPE_NAMES } from "./scopes.ts";

/** The agents that are connected to records. */
export function createAgents({ kv, clock, onGrantEnd }: GrantDeps & { clock: () => number }) {
  const list = (record: string) => grantsOf(kv, record, clock());

  /** Disconnects one agent. Its next request is refused. Succeeds if it has already ended. */
  async function disconnect(hash: string, id: string, reader: Reader): Promise<void> {
    const ended = await transact<Grant | null>(async () => {
      const [entry, record] = await Promise.all([
        grants.get(kv, id),
        readExisting(kv, hash),
      ]);
      const grant = entry.value;
      if (record === null || grant?.record !== hash) return { result: null };
      const commit = kv.atomic().check(entry, record.contact);
      revokeGrant(commit, grant);
      const detail = grant.client_name;
      addAccess(commit, hash, { what: "agent_disconnected", detail, reader }, clock());
      return { result: grant, commit };
    });
    if (ended !== null) await onGrantEnd?.(ended);
  }

  return {
    list,
    disconnect,
    async disconnectAll(record: string, reader: Reader): Promise<void> {
      for (const { id } of await list(record)) await disconnect(record, id, reader);
    },
  };
}

/**
 * Adds the access log's entry and the security notice to the commit that connects an agent.
 *
 * @returns the mails to send after the commit; null if the record can no longer be connected
 */
export async function addConnection(
  { kv, notices }: { kv: Deno.Kv; notices: Notices },
  commit: Deno.AtomicOperation,
  { grant: { id, client_name, redirect_host, scopes }, record: hash, reader }: {
    grant: Grant;
    record: string;
    reader: Reader;
  },
  now: number,
): Promise<QueuedMail[] | null> {
  const record = await readRecord(kv, hash);
  if (record === null || await connectionProblem(kv, record) !== null) return null;
  commit.check(record.contact, record.entry);
  addAccess(commit, hash, { what: "agent_connected", detail: client_name, reader }, now);
  const undo = { act: "disconnect_agent", grant: id } as const;
  const facts = [
    ["App", `“${client_name}”, which returns to ${redirect_host}`],
    ["Access", scopes.map((scope) => SCOPE_NAMES[scope]).join(", ")],
  ] as const;
  return await notices.add(commit, { record, kind: "agent_connected", undo, reader, facts }, now);
}

/**
 * Makes agents take part in the deletion and correction of records. An agent was connected to what a
 * record said at the time, so a correction ends its grant. It also ends with every session, because
 * whoever had access may have connected it.
 */
export const agentData = (deps: GrantDeps): RecordData => ({
  name: "agents",
  async deleteOf(hash) {
    const ids = await grantIds(deps.kv, hash);
    for (const id of ids) {
      for await (const { key } of deps.kv.list({ prefix: [BY_GRANT, id] })) {
        await deps.kv.atomic().delete(key).delete(storedTokens.key(String(key[2]))).commit();
      }
    }
    // Codes have no index, because there are only those of the last minutes.
    for await (const { key, value } of codeRows.list(deps.kv, [])) {
      if (ids.includes(value.grant)) await deps.kv.delete(key);
    }
    await disconnectAll(deps, hash);
  },
  move: (from) => endGrantsOf(deps, from),
  signOut: (hash, session) => session === null ? disconnectAll(deps, hash) : Promise.resolve(),
  endAccess: (hash) => disconnectAll(deps, hash),
  undo: {
    async disconnect_agent(commit, { record, undo }) {
      const entry = await grants.get(deps.kv, undo.grant);
      if (entry.value?.record !== record.hash) return false;
      commit.check(entry);
      revokeGrant(commit, entry.value);
      return true;
    },
  },
});

/** Ends the grants of a record. Approvals that have not reached the MCP host yet connect nothing. */
async function disconnectAll(deps: GrantDeps, hash: string): Promise<void> {
  for await (const { key, value: { outcome } } of handoffRows.list(deps.kv, [])) {
    if (outcome.approved && outcome.record === hash) await deps.kv.delete(key);
  }
  await endGrantsOf(deps, hash);
}
