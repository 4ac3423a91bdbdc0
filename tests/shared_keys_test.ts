import { assert, assertEquals } from "@std/assert";
import { bodyOf, newDocument } from "../lib/features/documents/testing/fixture.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { holdKv } from "../lib/platform/kv/testing/slow_kv.ts";
import { type AccessFixture, accessFixture } from "./access_site.ts";
import { fakeProvider } from "./codes_site.ts";
import { PERSON } from "./contact_site.ts";
import { connect, postForm, REDIRECT, refreshForm } from "./oauth_site.ts";

/** The input of one person. Nothing is the same for another person, not even the number's first digits. */
interface Visitor {
  email: string;
  reader: string;
  /** The number as it is entered, and in E.164. */
  number: string;
  mobile: string;
  /** The client's IP address. */
  from: string;
}

const VISITORS: readonly [Visitor, Visitor] = [{
  email: "ada@one.example.org",
  reader: "reader@one.example.com",
  number: "0491 570 006",
  mobile: "+61491570006",
  from: "203.0.113.7",
}, {
  email: "bob@two.example.org",
  reader: "reader@two.example.com",
  number: "0412 345 678",
  mobile: "+61412345678",
  from: "198.51.100.9",
}];

/** A row counts the messages of a day to several numbers, but there are up to eight of them. */
const SHARDED = ["code_days"];

Deno.test("commits for two people at the same time have no checked key in common", async () => {
  const checked = new Set<string>();
  const real = await openKv(":memory:");
  const kv = holdKv(real, ({ name, keys }) => {
    if (name === "commit") { for (const key of keys) checked.add(JSON.stringify(key)); }
    return Promise.resolve();
  });
  const codes = fakeProvider();
  await using fixture = await accessFixture(
    { CONTACT_CLIENT_LIMIT: "100", SIGN_IN_CLIENT_LIMIT: "100" },
    { kv, codeProvider: codes },
  );
  const keys: Set<string>[] = [];
  for (const visitor of VISITORS) {
    checked.clear();
    await travel(fixture, visitor, (number) => codes.code(number));
    keys.push(new Set(checked));
  }
  const [one, other] = keys;
  const prefixes = new Set(Array.from(one, (key) => JSON.parse(key)[0]));
  for (
    const expected of [
      "limits",
      "contacts",
      "code_limits",
      "access_requests",
      "oauth_grants",
    ]
  ) {
    assert(prefixes.has(expected), `${expected} is not among ${[...prefixes].join(", ")}`);
  }
  const shared = [...one].filter((key) => other.has(key) && !SHARDED.includes(JSON.parse(key)[0]));
  assertEquals(shared, []);
});

/** Does what visitors, holders, readers and apps do, as one person and with what belongs to this person. */
async function travel(
  fixture: AccessFixture,
  { email, reader, number, mobile, from }: Visitor,
  codeTo: (number: string) => string,
): Promise<void> {
  const { site, clock } = fixture;
  const { services } = site;
  const ok = async (sent: Promise<Response>) => {
    const response = await sent;
    const text = await response.text();
    await services.mailer.flush();
    await services.codes.flush();
    assert(response.status < 400, `${response.status} ${text.slice(0, 300)}`);
    return {
      cookie: response.headers.getSetCookie().map((set) => set.split(";")[0]).join("; "),
      text,
    };
  };
  const fetch: AccessFixture["fetch"] = (path, options) =>
    fixture.fetch(path, { from, ...options });
  const tokenOf = async (to: string, path: string) => {
    const mail = (await fixture.mails()).find((mail) =>
      mail.to === to && mail.link?.includes(path)
    );
    const { searchParams, hash } = new URL(mail!.link!);
    return searchParams.get("token") ?? hash.slice(1);
  };

  // The qualification site
  await ok(
    services.auth.requestLink({
      email,
      clientAddress: from,
      surface: services.surfaces.get("site")!,
      responded: Promise.resolve(),
    }).then((requested) => Response.json(unwrap(requested))),
  );
  const signedIn = await services.auth.verify(await tokenOf(email, "/auth/verify"), "site");
  assert(signedIn !== null);

  // A record, from the enquiry to the first notification
  const person = { ...PERSON, email, mobile: { country: "AU", number } };
  const { text } = await ok(fixture.send(person, {
    from,
    headers: { "idempotency-key": crypto.randomUUID() },
  }));
  const { hash } = JSON.parse(text);
  const token = await tokenOf(email, "/confirm?");
  const { cookie } = await ok(fetch("/confirm", { form: { token } }));
  const declaration = { text: "This record shows who we are, and where.", deliberate: "1" };
  await ok(fetch("/my-record/declaration", { cookie, form: declaration }));
  const purpose = "confirm_number";
  const sent = await ok(
    fetch("/api/auth/otp/send", { cookie, json: { purpose, method: "sms" } }),
  );
  await ok(fetch("/api/auth/otp/verify", {
    cookie: `${cookie}; ${sent.cookie}`,
    json: { purpose, code: codeTo(mobile) },
  }));
  await ok(fetch("/my-record/sign-in", { form: { email } }));
  await ok(fetch("/my-record/link", { form: { token: await tokenOf(email, "/my-record/link?") } }));
  clock.now += 120_000;

  // Access to a document
  const added = await services.documents.add(
    newDocument(hash),
    bodyOf(`The document of ${email}.`),
  );
  const { document: { id: document } } = unwrap(added);
  await ok(fixture.ask({ email: reader }, { document, from }));
  await ok(fetch("/d/request", { form: { token: await tokenOf(reader, "/d/request?") } }));
  const [request] = await services.access.list(hash);
  await ok(fetch("/my-record/requests", { cookie, form: { act: "approve", id: request.id } }));
  await fixture.sendHeld();
  await ok(fetch("/s", { form: { act: "open", code: await tokenOf(reader, "/s#") } }));

  // An app
  const url = new URL(services.surfaces.url("foundation-mcp", "/register")!);
  const registration = await ok(site.handler(
    new Request(url, {
      method: "POST",
      headers: { host: url.host, "content-type": "application/json" },
      body: JSON.stringify({ client_name: "Example app", redirect_uris: [REDIRECT] }),
    }),
    {
      remoteAddr: { transport: "tcp", hostname: from, port: 4711 },
      completed: Promise.resolve(),
    },
  ));
  const client = JSON.parse(registration.text).client_id;
  const { refresh_token } = await connect(site, client, { record: hash });
  await ok(postForm(site, "/token", refreshForm(client, refresh_token)));
}
