/**
 * `deno task witness`: serves a witness alone, with its own store and key. docs/ops/witness.md describes it.
 *
 * @module
 */
import { ConfigError } from "../../platform/config/error.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { serve } from "../../platform/http/serve.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { onStop, stopServer } from "../../platform/stop.ts";
import { formatVerifierKey } from "../../../packages/proof/mod.ts";
import { compareWithLogs, knownName, openSigner } from "./open.ts";
import { policyLine } from "./responses.ts";
import { createWitnessHandler } from "./server.ts";
import { readSettings, USAGE, type WitnessSettings } from "./settings.ts";
import { createWitness, type Witness } from "./witness.ts";

const log = (entry: Record<string, unknown>) =>
  console.error(JSON.stringify({ time: new Date().toISOString(), ...entry }));

try {
  await start(readSettings(Deno.args, (name) => Deno.env.get(name)));
} catch (error) {
  if (error instanceof ConfigError) {
    console.error("The witness cannot start:");
    for (const line of error.lines) console.error(`  ${line}`);
  } else if (error instanceof Deno.errors.AddrInUse) {
    console.error("The port is in use. Choose another one with --port.");
  } else if (error instanceof TypeError && "code" in error) { // an unknown option
    console.error(`${error.message}\n\n${USAGE}`);
  } else {
    throw error;
  }
  Deno.exit(1);
}

async function start(settings: WitnessSettings): Promise<void> {
  const { host, port, storePath, logs, signingKey: configured, isNewKey, trustProxy } = settings;
  const kv = await openKv(storePath, (message) => console.warn(`WITNESS_${message}`))
    .catch((error) => {
      throw new ConfigError([
        `WITNESS_KV_PATH (--store): should be a store that can be opened (${error.message})`,
      ]);
    });
  const known = await knownName(kv);
  const name = settings.name ?? known;
  if (name === null) {
    throw new ConfigError(["WITNESS_NAME (--name): should be set for the first start\n\n" + USAGE]);
  }
  const signer = await openSigner(kv, { name, configured, isNewKey });
  const witness = createWitness({ kv, signer, logs: () => Promise.resolve(logs), log });
  await compareWithLogs(witness, logs, createLocalFetch());

  let url = settings.url ?? "";
  const handler = createWitnessHandler(witness, { url: () => url, trustProxy, log });
  const server = serve({ hostname: host, port, log }, handler);
  url ||= `http://${host.includes(":") ? `[${host}]` : host}:${server.addr.port}/`;
  stopServer(server);
  onStop(async ({ served }) => {
    await served;
    kv.close();
  });
  console.log(await summary(witness, { ...settings, url, isNew: known === null }));
}

async function summary(
  witness: Witness,
  { url, storePath, isNew, signingKey }: WitnessSettings & { url: string; isNew: boolean },
): Promise<string> {
  const logs = await witness.logs();
  const lost = await witness.lost();
  const key = signingKey !== undefined
    ? "WITNESS_SIGNING_KEY"
    : isNew
    ? "generated now, and kept in the store"
    : "in the store";
  const origins = logs.map(({ origin }) => origin).join(", ");
  return [
    "",
    `The witness ${witness.key.name} listens at ${url}`,
    "",
    `  key    ${formatVerifierKey(witness.key)}`,
    `         (private key: ${key})`,
    `  store  ${storePath}${isNew ? ", new" : ""}`,
    `  logs   ${origins || `none yet: add --log "<key> [url]"`}`,
    "",
    ...lost === null
      ? [
        "The line for the policy of a log (LOG_WITNESSES) or a reader:",
        "",
        policyLine(witness, url),
      ]
      : [
        `It signs nothing: on ${lost.at} it saw a countersignature of its own that is missing from its store.`,
        "Start a new witness with an empty store, another key and another name.",
      ],
    "",
  ].join("\n");
}
