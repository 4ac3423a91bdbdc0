/**
 * Answers the kit's requests about the log with the product's own modules, or copies of them.
 *
 * @module
 */
import type * as log from "../../log/mod.ts";
import type * as verifier from "../../verify/mod.ts";

/** The modules of the product that verify proofs, or copies of them. */
export interface LogModules {
  core: Pick<
    typeof log,
    | "completionEntry"
    | "documentEntry"
    | "entryBytes"
    | "eventEntry"
    | "isConsistent"
    | "keySetEntry"
    | "leafHash"
    | "parseEntry"
    | "parsePolicy"
    | "PolicyError"
    | "tilePath"
    | "tileWidth"
    | "verifyProof"
  >;
  verifier: Pick<typeof verifier, "chainStatements" | "checkLog" | "createMemory">;
}

const raw = (hex: string) => Uint8Array.fromHex(hex);
const fault = (code: string) => ({ ok: false, code });

/** Answers the kit's requests about the log with the product's modules; undefined for other requests. */
export async function answerLog(
  { core, verifier }: LogModules,
  // deno-lint-ignore no-explicit-any -- requests of all operations
  request: Record<string, any> & { op: string },
): Promise<unknown> {
  const policyOf = (text: string) => {
    try {
      return core.parsePolicy(text);
    } catch (error) {
      if (error instanceof core.PolicyError) return null;
      throw error;
    }
  };
  switch (request.op) {
    case "log_entry": {
      const entry = entryOf(core, request);
      return {
        slot: entry.slot.toHex(),
        commitment: entry.commitment.toHex(),
        leaf: core.leafHash(core.entryBytes(entry)).toHex(),
      };
    }
    case "log_proof": {
      const { proof, origin, record_hash: record, size, tip } = request;
      const policy = policyOf(request.policy);
      if (policy === null) return fault("log_malformed");
      const entryOf = (salt: Uint8Array | null) =>
        salt && core.eventEntry({ record, size, tip, salt });
      const result = await core.verifyProof(proof, entryOf, policy, origin);
      if (!result.ok) return fault(result.error);
      const { checkpoint, proof: { index } } = result;
      const time = checkpoint.cosignatures.at(0)?.time;
      return { ok: true, index, log_size: checkpoint.size, time };
    }
    case "log_chain": {
      const { proof, origin, record_hash: record, events, as_of: asOf } = request;
      const policy = policyOf(request.policy);
      if (policy === null) return fault("log_malformed");
      const now = Date.parse(asOf);
      const finding = await verifier.checkLog({
        origin,
        statements: verifier.chainStatements(record, events),
        proof,
        trust: { policy, memory: verifier.createMemory() },
        asOf: now,
        now,
      });
      if (finding.fault !== null) return fault(finding.fault.code);
      const { logged, countersigned } = finding;
      const time = countersigned && Date.parse(countersigned.at) / 1000;
      return { ok: true, logged, ...time === null ? {} : { time } };
    }
    case "log_consistency": {
      const { old_size: oldSize, new_size: newSize, proof } = request;
      const [oldRoot, newRoot] = [request.old_root, request.new_root].map(raw);
      const tree = { oldSize, oldRoot, newSize, newRoot, proof: proof.map(raw) };
      return core.isConsistent(tree) ? { ok: true } : fault("log_inconsistent");
    }
    case "log_tile": {
      const { level, index, size } = request;
      const width = core.tileWidth({ level, index }, size);
      return { path: core.tilePath({ level, index, width }), width };
    }
    case "log_keys": {
      const { kid, key_sets } = request as unknown as { kid: string; key_sets: string[] };
      const isLogged = key_sets.flatMap((text) => JSON.parse(text).keys)
        .some((key) => key.kid === kid);
      return isLogged ? { ok: true } : fault("log_unknown");
    }
    case "log_entries": {
      const commitments = new Map<string, string>();
      for (const hex of request.entries) {
        if (hex.length !== 128) return fault("log_malformed");
        const { slot, commitment } = core.parseEntry(raw(hex));
        const [key, value] = [slot.toHex(), commitment.toHex()];
        if ((commitments.get(key) ?? value) !== value) return fault("log_fork");
        commitments.set(key, value);
      }
      return { ok: true };
    }
  }
}

function entryOf(
  { completionEntry, documentEntry, eventEntry, keySetEntry }: LogModules["core"],
  // deno-lint-ignore no-explicit-any -- of each kind of entry
  { kind, record_hash: record, document: id, log_salt, key_set, n, ...more }: Record<string, any>,
) {
  const salt = log_salt === undefined ? undefined : raw(log_salt);
  switch (kind) {
    case "event":
      return eventEntry({ record, salt, ...more } as never);
    case "document":
      return documentEntry({ ...more, id, salt, n } as never);
    case "keys":
      return keySetEntry(n, new TextEncoder().encode(key_set));
    default:
      return completionEntry();
  }
}
