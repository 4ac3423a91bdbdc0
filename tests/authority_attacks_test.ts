import { assertEquals } from "@std/assert";
import { unwrap } from "../lib/platform/http/errors.ts";
import { operators } from "../lib/features/operators/mod.ts";
import { parseDocumentId } from "../lib/features/documents/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { writtenKv } from "../lib/platform/kv/testing/written_kv.ts";
import { addIssuer, BY } from "./key_site.ts";
import { documentBody, documentIn, RECIPIENT } from "./issuer_api_site.ts";
import { type Halved, isDiscarded, park } from "./parked_request.ts";
import { CONSOLES, type Ids, PEOPLE, separationSite } from "./separation_site.ts";

/**
 * Attacks by somebody who sends the last byte of a body after the authority has ended that the request began
 * with. Each must change nothing.
 */
const store = writtenKv(await openKv(":memory:"));
const world = await separationSite({}, { kv: store.kv });
const { site } = world;
const { services } = site;
const { kv, auth } = services;
const surface = CONSOLES.commercial;
const ids: Ids = await world.fill("commercial", "tamarind");
const person = { organisation: "commercial", email: "deputy@example.org" } as const;

/** Signs a second administrator in to the console, who was added there. */
async function deputy(): Promise<{ cookie: string; user_id: number }> {
  const at = new Date(services.clock()).toISOString();
  const commit = kv.atomic();
  operators.put(commit, [person.organisation, person.email], {
    email: person.email,
    layer: "L1",
    sessions_from: at,
    added_at: at,
    invited_by: PEOPLE.L1,
  });
  await commit.commit();
  const { token } = await auth.issueLink({ email: person.email, surface });
  const { sessionId } = (await auth.verify(token, surface))!;
  const user_id = (await auth.findUserId(person.email))!;
  return { cookie: `app_session=${sessionId}`, user_id };
}

/** Sends a request in two parts, with something between them, and returns the rows that it has changed. */
async function attack(
  path: string,
  request: Halved,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number; text: string; changed: string[] }> {
  const parked = await park(world, path, request);
  await meanwhile();
  await services.mailer.flush();
  let response!: Response;
  let text = "";
  const rows = await store.changedBy(async () => {
    response = await parked.finish();
    text = await response.text();
    await services.mailer.flush();
  });
  const changed = rows.filter((row) => !isDiscarded(row));
  return { status: response.status, text, changed };
}

const file = (fields: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([crypto.randomUUID().repeat(400)], "new.txt"));
  return form;
};

const issuerPath = `/console/issuers/${ids.issuer}`;
const ofConsole: Record<string, [path: string, body: Halved["body"]]> = {
  "makes an API key": [
    `${issuerPath}/keys`,
    new URLSearchParams({
      ...{ act: "create_key", id: "00000000000000aa", name: "A", mode: "live", expires: "30" },
      "documents:read": "on",
    }),
  ],
  "invites an administrator": [
    "/console/team",
    new URLSearchParams({ act: "invite", email: "thief@example.org", layer: "L1" }),
  ],
  "adds an issuer": ["/console/issuers", new URLSearchParams({ name: "College of thieves" })],
  "renames an issuer": [
    `${issuerPath}/settings`,
    new URLSearchParams({ act: "rename", name: "Thieves" }),
  ],
  "uploads a document": [
    `/console/records/${ids.record}/documents`,
    file({ title: "Diploma", type: "Note" }),
  ],
};

const ends = {
  "that its owner has ended on another device": ({ user_id }: { user_id: number }) =>
    auth.endSessions({ user_id, surface }),
  "of an operator who was removed": () => kv.delete(operators.key("commercial", person.email)),
};

for (const [what, [path, body]] of Object.entries(ofConsole)) {
  for (const [how, end] of Object.entries(ends)) {
    Deno.test(`a console session ${how} no longer ${what}`, async () => {
      const { cookie, user_id } = await deputy();
      const request = { surface, cookie, body };
      const { status, changed } = await attack(path, request, () => end({ user_id }));
      assertEquals([status, changed], [how.includes("removed") ? 403 : 303, []]);
    });
  }
}

const api = await addIssuer(site);
const call = async (key: string, body: unknown, path = "/api/documents") =>
  await documentIn(api.call(key, {
    path,
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  }));
const ofKey: Record<string, (id: string) => [path: string, body: object]> = {
  issues: () => ["/api/documents", documentBody({ file: btoa("Another certificate") })],
  replaces: (id) => [`/api/documents/${id}/versions`, {
    file: btoa("A new certificate"),
    file_name: "new.txt",
  }],
  withdraws: (id) => [`/api/documents/${id}/withdraw`, { reason: "A thief" }],
  mails: (id) => [`/api/documents/${id}/resend`, {}],
};
const keyEnds: Record<string, (key: string) => Promise<unknown>> = {
  "that was revoked": async (id) =>
    unwrap(await services.issuerKeys.revoke({ issuer: api.issuer.id, by: BY, key: id })),
  "whose issuer was suspended": () => api.setState("suspended"),
  "whose issuer has ended": () => api.setState("ended"),
};

for (const [what, request] of Object.entries(ofKey)) {
  for (const [how, end] of Object.entries(keyEnds)) {
    Deno.test(`an API key ${how} no longer ${what}`, async () => {
      await api.setState("active");
      const { key, row } = await api.create();
      const { id } = await call(key, documentBody());
      const [path, body] = request(id);
      const headers = { authorization: `Bearer ${key}`, "idempotency-key": crypto.randomUUID() };
      const sent = { surface: "api", body, headers } as const;
      const { status, changed } = await attack(path, sent, () => end(row.id));
      assertEquals([status, changed], [how.includes("revoked") ? 401 : 403, []]);
    });
  }
}

for (const how of ["says that it is not for them", "lets it lapse"]) {
  Deno.test(`a new version is not stored if the recipient ${how} while its file arrives`, async () => {
    await api.setState("active");
    const { key } = await api.create();
    const email = `${crypto.randomUUID()}@example.org`;
    const { id } = await call(key, documentBody({ recipient: { ...RECIPIENT, email } }));
    await services.mailer.flush();
    const sent = {
      surface: "api",
      body: file({ file_name: "new.txt" }),
      headers: { authorization: `Bearer ${key}` },
    } as const;
    const document = (await services.documents.read(parseDocumentId(id)!))!;
    const { status } = await attack(`/api/documents/${id}/versions`, sent, async () => {
      const { acceptance, finishRecipient } = services.issuing;
      const link = {
        id: document.recipient!,
        token: await services.secrets.sign("acceptance", document.recipient!),
      };
      if (how.startsWith("says")) await acceptance.refuse(link);
      else {
        world.clock.now += 100 * DAY_MS;
        await finishRecipient(document.recipient!);
        world.clock.now -= 100 * DAY_MS;
      }
    });
    assertEquals(status, 409);
    const { versions, erased_at } = (await services.documents.read(document.id))!;
    assertEquals([versions.length, erased_at !== undefined], [1, true]);
  });
}

Deno.test("a file that arrives while its document is erased is not added as a new version", async () => {
  await api.setState("active");
  const { key } = await api.create();
  const email = `${crypto.randomUUID()}@example.org`;
  const { id } = await call(key, documentBody({ recipient: { ...RECIPIENT, email } }));
  const document = (await services.documents.read(parseDocumentId(id)!))!;
  const of = document.recipient!;
  const link = { id: of, token: await services.secrets.sign("acceptance", of) };
  async function* arriving() {
    yield new TextEncoder().encode("The first half");
    await services.issuing.acceptance.refuse(link);
    yield new TextEncoder().encode(", and the second one");
  }
  const version = { file_name: "new.txt", by: "key k1" };
  const content = ReadableStream.from(arriving());
  const added = await services.documents.addVersion(document.id, version, content);
  assertEquals(added.ok || added.error, "erased");
  assertEquals((await services.documents.read(document.id))!.versions.length, 1);
});
