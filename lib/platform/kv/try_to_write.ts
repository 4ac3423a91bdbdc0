/** The test whether a KV Connect server accepts writes again, for example after its disk was full. */
import { z } from "zod";
import { refusalOf } from "./refusal.ts";
import type { WriteProblem } from "./store_kv.ts";

/** The part of a server's answer about its database that is needed. */
const metadata = z.object({
  version: z.number(),
  databaseId: z.string(),
  endpoints: z.array(z.object({ url: z.string(), consistency: z.string() })),
  token: z.string(),
});

/**
 * A commit in the encoding of KV Connect: it deletes the row `["commits", "probe"]`, which does not exist. So it changes
 * nothing in any store, but the server has to write the number of the commit.
 */
const COMMIT = new TextEncoder().encode("\x12\x14\x0a\x10\x02commits\0\x02probe\0\x18\x02");

/** The first bytes of a response that says that the commit was not made because writes are switched off. */
const WRITES_DISABLED = [0x08, 5];

/**
 * Makes a commit that changes nothing on a KV Connect server, to find out whether it accepts writes. Deno's client
 * would repeat what the server cannot do until it can, and does not say what the server says.
 *
 * @param url the server's, as in `KV_PATH`
 * @returns null if the server accepts it. `disk_full` means that its database failed: `denokv` does not say why, and
 * anything else than a full disk is rare
 * @throws if there is no response, or another one
 */
export async function tryToWrite(
  url: string,
  accessToken: string,
  signal: AbortSignal,
): Promise<WriteProblem | null> {
  // Like Deno's client, because proxies without encryption can have one version of HTTP only.
  using client = Deno.createHttpClient({ http1: false });
  const post = async (to: string | URL, headers: HeadersInit, body: BodyInit) => {
    const init: RequestInit & { client: Deno.HttpClient } = {
      method: "POST",
      headers,
      body,
      signal,
      client,
    };
    return await fetch(to, init);
  };
  const described = await post(url, {
    "authorization": `Bearer ${accessToken}`,
    "content-type": "application/json",
  }, JSON.stringify({ supportedVersions: [2, 3] }));
  if (!described.ok) return await problemOf(described);
  const { version, databaseId, endpoints, token } = metadata.parse(await described.json());
  const { url: endpoint } = endpoints.find(({ consistency }) => consistency === "strong")!;
  const response = await post(new URL(`${endpoint}/atomic_write`, described.url), {
    "authorization": `Bearer ${token}`,
    "content-type": "application/x-protobuf",
    "x-denokv-version": `${version}`,
    "x-denokv-database-id": databaseId,
  }, COMMIT);
  if (!response.ok) return await problemOf(response);
  const output = new Uint8Array(await response.arrayBuffer());
  return WRITES_DISABLED.every((byte, i) => output[i] === byte) ? "store_read_only" : null;
}

async function problemOf(response: Response): Promise<WriteProblem> {
  const error = new Error(`${await response.text()} (status=${response.status})`);
  const problem = response.status === 500 ? "disk_full" : refusalOf(error);
  if (problem === undefined) throw error;
  return problem;
}
