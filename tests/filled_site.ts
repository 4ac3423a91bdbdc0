/** Sample data of every kind, for tests that open all pages. */
import type { Services } from "../lib/app/services.ts";
import type { ApiKeyRow } from "../lib/features/issuers/mod.ts";
import { batchDefaults } from "../lib/features/issuing/batches/mod.ts";
import { newEndpointSchema } from "../lib/features/webhooks/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import type { AccessFixture } from "./access_site.ts";
import { addPayment } from "./add_payment.ts";
import { PERSON, statusOf } from "./contact_site.ts";
import { keyForm } from "./key_site.ts";
import { beginRequest, connect, registerClient } from "./oauth_site.ts";

/** The objects that the pages of a filled site show. */
export interface Filled {
  /** The newest mailed links: to confirm an address, for access to the document, and to sign in. */
  links: Record<"confirmation" | "asked" | "undo" | "signIn", URL>;
  /** The code of a link for a person whose request was approved. */
  personal: string;
  /** The cookie of somebody with access to the document. */
  reader: string;
  /** The app that is connected to the record, and its token for another request. */
  client: string;
  request: string;
  /** The fields of the links that accept a document: one to accept, and one to refuse. */
  offer: Record<"of" | "token", string>;
  refusal: Record<"of" | "token", string>;
  /** The id of a bank account of the commercial organisation. */
  account: string;
  /** An issuer with a domain, webhooks, API keys, batches, and a document that waits for its recipient. */
  issuer: string;
  keys: ApiKeyRow[];
  batches: string[];
  issued: string;
  /** The code of a shared link to the document. */
  code: string;
}

/** Fills a site, so that each of its pages has something to show. Its bank must respond. */
export async function fillSite(fixture: AccessFixture): Promise<Filled> {
  const { site: { services }, site, owner: { hash, cookie }, document } = fixture;
  const linkOf = async (path: string) =>
    new URL((await fixture.mails()).find(({ link }) => link?.includes(path))!.link!);
  await fixture.register({ ...PERSON, email: "new@example.org" });
  const confirmation = await linkOf("/confirm?");
  const { token: personal } = await fixture.approve({ email: "first@example.com" });
  const { token: used } = await fixture.approve({ email: "second@example.com" });
  const reader = await fixture.use(used);
  await fixture.open({ email: "waiting@example.com" });
  await statusOf(fixture.ask());
  const asked = await linkOf("/d/request?");
  const client = await registerClient(site);
  const { request } = await beginRequest(site, client, { scope: "record" });
  await connect(site, client, { record: hash });
  const undo = await linkOf("/my-record/undo?");
  const [offer, refusal] = await Promise.all(
    ["grace", "alan"].map((name) => offerTo(services, name)),
  );
  await statusOf(fixture.fetch("/my-record/sign-in", { form: { email: PERSON.email } }));
  const signIn = await linkOf("/my-record/link?");
  const [account] = (await services.treasuries.commercial.accounts()).accounts;
  await addPayment(services.kv, "commercial", services.clock());
  const college = { organisation: "commercial", name: "Harbour College" } as const;
  const { issuer } = unwrap(await services.issuers.add({ ...college, by: "admin@example.org" }));
  const change = { organisation: "commercial", id: issuer.id, by: "admin@example.org" } as const;
  await services.issuerDomains.set({ ...change, domain: "harbour.example" });
  await services.issuerDomains.check(change);
  const keys = await addKeys(services, issuer.id);
  await addWebhooks(services, keys[0]);
  const { batches, issued } = await addDocuments(services, issuer.id);
  const wanted = { act: "create", days: "7", openings: "1", form: crypto.randomUUID() };
  const shared = await fixture.fetch(`/my-record/share?document=${document}`, {
    cookie,
    json: wanted,
    headers: { accept: "application/json" },
  });
  const { code } = await shared.json();
  return {
    links: { confirmation, asked, undo, signIn },
    personal,
    ...{ reader, client, request, offer, refusal },
    ...{ account: account.id, issuer: issuer.id, keys, batches, issued, code },
  };
}

/** Issues a document to somebody, and returns the fields of the link that accepts it. */
export async function offerTo(
  { issuing, secrets }: Services,
  name: string,
  email = `${name}@example.org`,
) {
  const issued = await issuing.issue(
    { issuer: { id: "commercial", organisation: "commercial" }, test: false, key: { id: "k" } },
    {
      recipient: { name, email },
      title: "Diploma",
      type: "Diploma",
      file_name: "diploma.txt",
    },
    new Response(name).body!,
    { mail: "later" },
  );
  if (!issued.ok) throw new Error(issued.error);
  const { id } = issued.recipient;
  return { of: id, token: await secrets.sign("acceptance", id) };
}

/** Returns how a browser that remembers the link of an offer looks at the document. */
export async function lookAt({ issuing }: Services, { of, token }: { of: string; token: string }) {
  const offer = unwrap(await issuing.acceptance.read({ id: of, token }));
  return { path: `/accept/${offer.documents[0].id}`, cookie: `document_offer=${of}.${token}` };
}

/** Adds API keys of an issuer: one that works, one that is being replaced, and one that has ended. */
async function addKeys({ issuerKeys }: Services, issuer: string): Promise<ApiKeyRow[]> {
  const change = { issuer, by: "admin@example.org" };
  const create = async (name: string) =>
    unwrap(await issuerKeys.create({ ...change, ...keyForm({ name, mode: "test" }) })).row;
  const keys = [await create("Works"), await create("Is replaced"), await create("Has ended")];
  unwrap(await issuerKeys.rotate({ ...change, key: keys[1].id, overlap_hours: 24 }));
  unwrap(await issuerKeys.revoke({ ...change, key: keys[2].id }));
  return keys;
}

/**
 * Adds a batch without rows that is done, one that is being issued, and a checked file with a warning. Returns their
 * ids, and that of a document that waits for its recipient.
 */
async function addDocuments({ batches, issuing, issuers, jobs }: Services, id: string) {
  const owner = { issuer: (await issuers.read("commercial", id))!, test: false };
  const by = "admin@example.org";
  const add = async (name: string) =>
    unwrap(await batches.add(owner, { name, by, rows: [] })).batch.id;
  const done = await add("done.csv");
  await jobs.run("batches");
  const recipient = { name: "Mei Chen", email: "mei@example.org" };
  const about = { title: "Diploma", type: "Diploma", date: "2026-03-01" };
  const csv = new TextEncoder().encode(
    "name,email\nMei Chen,mei@example.org\nMay Chen,mei@example.org\n",
  );
  const { rows } = unwrap(await batches.check(owner.issuer, [csv], batchDefaults.parse(about)));
  const checked = unwrap(await batches.checked.keep(owner, { name: "checked.csv", by, rows }));
  const issued = unwrap(
    await issuing.issue(
      { ...owner, by },
      { recipient, ...about, file_name: "diploma.txt" },
      new Response("Mei").body!,
      { mail: "now" },
    ),
  );
  return {
    batches: [done, await add("new.csv"), checked.batch.id],
    issued: issued.document.id,
  };
}

/** Adds webhooks of an issuer: one that is paused, and one with an event that was not delivered. */
async function addWebhooks({ webhooks, kv, clock }: Services, { issuer, id: key }: ApiKeyRow) {
  const input = newEndpointSchema.parse({ url: "https://college.example/events?key=1" });
  const paused = await webhooks.create({ issuer, mode: "test", key }, {
    ...input,
    description: "Tests",
  });
  if (paused.ok) await webhooks.pause(paused.endpoint, null);
  await webhooks.create({ issuer, mode: "live", key }, input);
  const commit = kv.atomic();
  const event = { issuer, test: false, type: "document.issued", data: {}, now: clock() } as const;
  const send = await webhooks.add(commit, event);
  await commit.commit();
  send();
  await webhooks.flush();
}
