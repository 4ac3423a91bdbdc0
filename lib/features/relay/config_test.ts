import { assert, assertEquals } from "@std/assert";
import {
  relayConfigSchema,
  relayEnvironmentSchema,
  relaysSchema,
  relayTimeoutSchema,
} from "./config.ts";
import { newSlug } from "./new.ts";

const RELAY = {
  name: "docs",
  host: "docs.relay.example",
  slug: "docs-0123456789abcdef01234567",
  clientId: "id.access",
  clientSecret: "secret-of-the-token",
  origin: "https://docs.example",
};

Deno.test("relayConfigSchema fills in defaults and normalises host, slug and origin", () => {
  assertEquals(relayConfigSchema.parse(RELAY), { ...RELAY, rewriteLinks: false });
  const written = {
    ...RELAY,
    host: "Docs.Relay.EXAMPLE",
    slug: ` ${RELAY.slug}\n`,
    origin: "HTTPS://Docs.example:443/",
  };
  assertEquals(relayConfigSchema.parse(written), { ...RELAY, rewriteLinks: false });
});

const INVALID: [change: Record<string, unknown>, expected: string][] = [
  [{ name: "my docs" }, "name of entry 1 is a name of letters, digits and hyphens"],
  [{ name: "my_docs" }, "name of entry 1 is a name of letters, digits and hyphens"],
  [{ host: "docs.example:8000" }, "host of entry 1 is a host name"],
  [{ host: "https://docs.example" }, "host of entry 1 is a host name"],
  [{ host: "docs.example." }, "host of entry 1 is a host name"],
  [{ host: "docs_relay.example" }, "host of entry 1 is a host name"],
  [{ slug: "docs-secret" }, "slug of entry 1 is a prefix, a hyphen and 16 to 64 hex digits"],
  [{ slug: "0123456789abcdef01234567" }, "slug of entry 1 is"],
  [{ slug: "docs/x-0123456789abcdef01234567" }, "slug of entry 1 is"],
  [{ slug: undefined }, "slug of entry 1 is"],
  [{ previousSlug: RELAY.slug }, "previousSlug of entry 1 is a slug other than"],
  [{ previousSlug: "" }, "previousSlug of entry 1 is a prefix"],
  [{ clientId: "" }, "clientId of entry 1 is the client id"],
  [{ clientSecret: "top\r\nsecret: x" }, "clientSecret of entry 1 is the client secret"],
  [{ origin: "https://docs.example/path" }, "origin of entry 1 is an origin"],
  [{ origin: "https://user:secret@docs.example" }, "origin of entry 1 is an origin"],
  [{ origin: "https://docs.example?secret" }, "origin of entry 1 is an origin"],
  [{ origin: "ftp://docs.example" }, "origin of entry 1 is an origin"],
  [{ origin: "records.internal" }, "origin of entry 1 is an origin"],
  [{ rewriteLinks: "secret" }, "rewriteLinks of entry 1 is true or false"],
  [{ secretSetting: 271 }, "entry 1 is without members other than name"],
];

for (const [change, expected] of INVALID) {
  Deno.test(`RELAYS with ${JSON.stringify(change)} is rejected without repeating the value`, () => {
    const { success, error } = relaysSchema.safeParse(JSON.stringify([{ ...RELAY, ...change }]));
    assert(!success);
    const [message] = error!.issues.map(({ message }) => message);
    assert(message.includes(expected), message);
    for (const value of ["secret", ...Object.values(change)]) {
      assert(
        value === "" || !message.replace("client secret", "").includes(String(value)),
        message,
      );
    }
  });
}

Deno.test("RELAYS must be an array without duplicate hosts or names", () => {
  const messages = (value: unknown) =>
    relaysSchema.safeParse(typeof value === "string" ? value : JSON.stringify(value))
      .error?.issues.map(({ message }) => message) ?? [];
  assertEquals(messages("[{secret}]"), ["a JSON array of relays"]);
  assertEquals(messages(RELAY), ["a JSON array of relays"]);
  assertEquals(messages([RELAY, { ...RELAY, name: "other" }]), [
    "JSON in which no two entries have the same host",
  ]);
  assertEquals(messages([RELAY, { ...RELAY, host: "other.example" }]), [
    "JSON in which no two entries have the same name",
  ]);
  assertEquals(messages([RELAY, null]), ["JSON in which entry 2 is an object"]);
  assertEquals(messages([]), []);
});

Deno.test("relayEnvironmentSchema fills in defaults and reports errors by variable", () => {
  const env = {
    RELAY_SLUG: RELAY.slug,
    RELAY_CLIENT_ID: RELAY.clientId,
    RELAY_CLIENT_SECRET: RELAY.clientSecret,
    RELAY_ORIGIN: RELAY.origin,
  };
  const { HOST, PORT, RELAY_TIMEOUT_MS, RELAY_REWRITE_LINKS } = relayEnvironmentSchema.parse(env);
  assertEquals([HOST, PORT, RELAY_TIMEOUT_MS, RELAY_REWRITE_LINKS], [
    "127.0.0.1",
    8000,
    15_000,
    false,
  ]);
  assert(relayEnvironmentSchema.parse({ ...env, RELAY_REWRITE_LINKS: "1" }).RELAY_REWRITE_LINKS);
  const twice = relayEnvironmentSchema.safeParse({ ...env, RELAY_PREVIOUS_SLUG: RELAY.slug });
  assertEquals(twice.error?.issues.map(({ path }) => path), [["RELAY_PREVIOUS_SLUG"]]);
  const wrong = relayEnvironmentSchema.safeParse({
    RELAY_PREVIOUS_SLUG: "x",
    RELAY_TIMEOUT_MS: "0",
    RELAY_REWRITE_LINKS: "yes",
    PORT: "-1",
  });
  assertEquals(wrong.error!.issues.map(({ path }) => String(path[0])).sort(), [
    "PORT",
    "RELAY_CLIENT_ID",
    "RELAY_CLIENT_SECRET",
    "RELAY_ORIGIN",
    "RELAY_PREVIOUS_SLUG",
    "RELAY_REWRITE_LINKS",
    "RELAY_SLUG",
    "RELAY_TIMEOUT_MS",
  ]);
});

Deno.test("RELAY_TIMEOUT_MS defaults to 15 seconds and is at most ten minutes", () => {
  assertEquals(relayTimeoutSchema.parse(undefined), 15_000);
  assertEquals(relayTimeoutSchema.parse("600000"), 600_000);
  for (const value of ["", "0", "600001", "1.5", "1e3", "-1"]) {
    assert(!relayTimeoutSchema.safeParse(value).success, value);
  }
});

Deno.test("newSlug() returns a valid slug, different each time", () => {
  const slugs = new Set(Array.from({ length: 100 }, () => newSlug("docs")));
  assertEquals(slugs.size, 100);
  for (const slug of slugs) {
    assert(/^docs-[0-9a-f]{24}$/.test(slug));
    assert(relayConfigSchema.shape.slug.safeParse(slug).success);
  }
});
