import { resolve } from "node:path";
import { isFile } from "../platform/kv/mod.ts";

/** The variables with signing keys, each with one key or several. */
const SIGNING_KEYS = ["CHAIN_SIGNING_KEY", "LOG_SIGNING_KEY", "WITNESS_SIGNING_KEY"];

/**
 * Returns a line for each key and store that two variables share although each needs its own. Signatures of
 * chains, logs and witnesses state different things, and a witness proves something only if it does not depend
 * on what it countersigns.
 */
export function separationProblems(
  values: Readonly<Record<string, unknown>>,
  production: boolean,
): string[] {
  const lines: string[] = [];
  const keys = SIGNING_KEYS.flatMap((name) =>
    [values[name] ?? []].flat().map((jwk) => ({ name, x: (jwk as { x: string }).x }))
  );
  for (const [i, { name, x }] of keys.entries()) {
    const other = keys.slice(0, i).find((each) => each.x === x);
    if (!production || other === undefined) continue;
    lines.push(
      other.name === name
        ? `${name}: should not have one key twice`
        : `${name}: should be another key than ${other.name}`,
    );
  }
  const { KV_PATH: store, WITNESS_KV_PATH: own } = values as Record<string, string | undefined>;
  if (own !== undefined && own !== ":memory:" && pathOf(own) === pathOf(store)) {
    lines.push("WITNESS_KV_PATH: should be another store than KV_PATH");
  }
  return lines;
}

const pathOf = (path: string | undefined) => isFile(path) ? resolve(path) : path;
