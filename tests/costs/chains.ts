/** Requests for chains and the public log, whose costs are counted. */
import { type ContactFixture, PERSON } from "../contact_site.ts";
import { type CostRequests, files, notModified, STREAM } from "./requests.ts";
import type { PeopleSite } from "./sites.ts";

/** A client that follows a chain accepts gzip. */
const headers = { accept: "application/json", "accept-encoding": "gzip" };

/** The events of each chain, besides its first two: more sizes than are looked up first. */
const EVENTS = 8;

/** The requests for chains and the log. There is a record in each state that a chain can have in the log. */
export async function chainRequests(fixture: PeopleSite): Promise<CostRequests> {
  const { site, site: { services }, witness } = fixture;
  let people = 0;
  const grow = (hash: string) => services.chains.append(hash, "document_viewed");
  const newRecord = async () => {
    const { hash } = await fixture.holder({ ...PERSON, email: `chain${++people}@example.org` });
    for (let i = 0; i < EVENTS; i++) await grow(hash);
    return hash;
  };
  const log = () => services.jobs.run("log");
  const [countersigned, grown] = [await newRecord(), await newRecord()];
  await log();
  const published = await newRecord();
  witness.isAway = true;
  await log();
  witness.isAway = false;
  const unlogged = await newRecord();
  await grow(grown);
  const states = {
    "countersigned": countersigned,
    "one event newer than the checkpoint": grown,
    "published only": published,
    "not in the log": unlogged,
  };
  const requests: CostRequests = {};
  for (const [state, hash] of Object.entries(states)) {
    const chain = { on: "api", path: `/api/chain/${hash}`, headers } as const;
    requests[`api /api/chain/…, ${state}`] = chain;
    requests[`api /api/chain/…, ${state}, 304`] = notModified(site, chain);
  }
  const inLog = { on: "api", path: `/api/chain/${countersigned}/log`, headers } as const;
  return {
    ...requests,
    "api /api/chain/…?after=1, stream": {
      on: "api",
      path: `/api/chain/${countersigned}?after=1`,
      headers: STREAM,
    },
    "api /api/chain/…/log, 304": notModified(site, inLog),
    ...files("api", {
      "/api/chain/…?limit=1": `/api/chain/${countersigned}?limit=1`,
      "/api/chain/…/log": `/api/chain/${countersigned}/log`,
    }),
    ...files("trust", {
      ...Object.fromEntries(
        ["checkpoint", "checkpoints", "policy", "keys/1", "tile/0/000.p/1", "tile/entries/000.p/1"]
          .map((file) => [`/log/${file}`, `/log/${file}`]),
      ),
    }),
  };
}

/** A chain whose log nobody countersigns. */
export async function unwitnessedRequests({ site, send }: ContactFixture): Promise<CostRequests> {
  const { hash } = await (await send(PERSON)).json();
  for (let i = 0; i < EVENTS; i++) await site.services.chains.append(hash, "document_viewed");
  await site.services.jobs.run("log");
  const chain = { on: "api", path: `/api/chain/${hash}`, headers } as const;
  return {
    "api /api/chain/…, no witness configured": chain,
    "api /api/chain/…, no witness configured, 304": notModified(site, chain),
  };
}
