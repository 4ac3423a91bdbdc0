/**
 * Chains in each state that a chain can have in the public log. None of them changes while it is measured.
 *
 * @module
 */
import {
  createSigner,
  formatVerifierKey,
  generatePrivateJwk,
  WITNESS_KEY,
} from "../packages/proof/mod.ts";
import { writeChain } from "../lib/features/chain/testing/fixtures.ts";
import { until } from "../lib/testing/until.ts";
import { compare, comparedRow, startBaseline, type Target } from "./compare.ts";
import { type ServedSite, serveSite } from "./site.ts";
import type { Row } from "./table.ts";

/** The events of each chain: more sizes than are looked up first. */
const EVENTS = 10;

/** Configures a witness that never responds. */
async function silentWitness(): Promise<Record<string, string>> {
  const { key } = await createSigner("silent.example", WITNESS_KEY, await generatePrivateJwk());
  const witness = `witness silent ${formatVerifierKey(key)} http://127.0.0.1:1/`;
  return { LOG_WITNESSES: `${witness}\nquorum silent` };
}

/** Without the host of the witness, a site in development has none. */
const UNWITNESSED = {
  SURFACE_HOSTS: JSON.stringify({ api: ["api.localhost"], trust: ["trust.localhost"] }),
};

let chains = 0;
const newHash = () => String(++chains).padStart(64, "0");

const pathOf = (hash: string) => `/api/chain/${hash}`;

/** Returns the proof in a chain's newest page, and the number of countersignatures in it; null if there is none. */
async function proofOf(site: ServedSite, hash: string) {
  const response = await site.request("api", pathOf(hash));
  const { log_proof: proof = null } = await response.json();
  return proof === null ? null : { cosigned: proof.match(/^— /gm)!.length - 1 };
}

/** Writes a chain whose newest event is not going to be logged. */
async function writeUnlogged(site: ServedSite, hash: string, length = EVENTS): Promise<void> {
  const { kv, chains: { publisher } } = site.services;
  await kv.set(["log_chains", hash], { salt: new Uint8Array(32) });
  await writeChain(kv, { hash, publisher, length });
}

/** Adds a chain whose newest event is in a published checkpoint with a number of countersignatures. */
async function addLogged(site: ServedSite, cosigned: number): Promise<string> {
  const hash = newHash();
  await writeUnlogged(site, hash, EVENTS - 1);
  await site.services.chains.append(hash, "document_viewed");
  await until(
    async () => (await proofOf(site, hash))?.cosigned === cosigned,
    `a chain is published with ${cosigned} countersignatures`,
  );
  return hash;
}

/** Returns requests for the newest page of a chain: for all of it, and for what has changed since it was read. */
async function requestsOf(
  site: ServedSite,
  hash: string,
): Promise<Record<"page" | "unchanged", Target>> {
  const path = pathOf(hash);
  const response = await site.request("api", path);
  await response.body?.cancel();
  const headers = { "if-none-match": response.headers.get("etag")! };
  return {
    page: site.target("api", { path }),
    unchanged: site.target("api", { path, headers, status: 304 }),
  };
}

/**
 * Compares the newest page of a chain in each state, with and without its tag, with a JSON route.
 *
 * @param target the least ratio of a page that is sent
 */
export async function measureStates(options: { rounds: number }, target: number): Promise<Row[]> {
  await using site = await serveSite();
  await using silent = await serveSite(await silentWitness());
  await using unwitnessed = await serveSite(UNWITNESSED);
  const grown = await addLogged(site, 1);
  await writeUnlogged(site, grown, EVENTS + 1);
  const unlogged = newHash();
  await writeUnlogged(site, unlogged);
  const states: [state: string, site: ServedSite, hash: string, cosigned: number | null][] = [
    ["countersigned", site, await addLogged(site, 1), 1],
    ["one event newer than the checkpoint", site, grown, 1],
    ["published only", silent, await addLogged(silent, 0), 0],
    ["not in the log", site, unlogged, null],
    ["no witness configured", unwitnessed, await addLogged(unwitnessed, 0), 0],
  ];
  const rows: Row[] = [];
  for (const [state, site, hash, cosigned] of states) {
    const { page, unchanged } = await requestsOf(site, hash);
    await using route = await startBaseline("route", page);
    const measured = await compare({ route, page, unchanged }, options);
    const proof = await proofOf(site, hash);
    if ((proof?.cosigned ?? null) !== cosigned) {
      throw new Error(`A chain has left its state: ${state}.`);
    }
    const compared = ["a JSON route", measured.route] as const;
    rows.push(
      comparedRow(state, measured.page, [...compared], target),
      comparedRow(`${state}, 304`, measured.unchanged, [...compared]),
    );
  }
  return rows;
}
