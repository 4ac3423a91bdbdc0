/**
 * The whole app in its own process, for `worst_case.ts`: reads its environment from the first
 * argument, prints one line of JSON ({@link Served}) and serves until it is killed.
 *
 * @module
 */
import type { StoredContact } from "../lib/features/contact/mod.ts";
import { createSite } from "../tests/site.ts";

/** The values that the requests need from the server. */
export interface Served {
  port: number;
  /** The session of a full administrator on the commercial console. */
  cookie: string;
  /** A record with as many events as `verify_chain` reads. */
  record: string;
}

const CHAIN_LENGTH = 500;

const record = "7".repeat(64);
const site = await createSite(JSON.parse(Deno.args[0]));
const { auth, chains, kv } = site.services;
const surface = "commercial-console";
const { token } = await auth.issueLink({ email: "admin@example.org", surface });
const signIn = await auth.verify(token, surface);
await chains.start(record);
for (let seq = 1; seq < CHAIN_LENGTH; seq++) await chains.append(record, "record_verified");

// The console shows only records with a contact.
const contact: Pick<StoredContact, "record" | "organisation" | "registered_at"> = {
  record: { name: "Ada", email: "ada@example.org", enquiry_type: "Other" },
  organisation: "commercial",
  registered_at: new Date().toISOString(),
};
await kv.set(["contacts", record], { ...contact, confirmed_at: null });

Deno.serve({
  port: 0,
  hostname: "127.0.0.1",
  onListen: ({ port }) => {
    const served: Served = { port, cookie: `app_session=${signIn!.sessionId}`, record };
    console.log(JSON.stringify(served));
  },
}, site.handler);
