/** Rushes of one person, who is signed in, or of one issuer: 60 requests at the same time that one limit counts. */
import { batchDefaults } from "../lib/features/issuing/batches/mod.ts";
import { batchLimits } from "../lib/features/issuing/batches/limits.ts";
import { recordRows } from "../lib/features/records/mod.ts";
import { readRecord } from "../lib/features/records/record/store.ts";
import type { Failure } from "../lib/base/result.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { statusOf, unwrap } from "../lib/platform/http/errors.ts";
import type { AccessFixture } from "./access_site.ts";
import { PERSON } from "./contact_site.ts";
import { addIssuer, BY } from "./key_site.ts";

/** One of the requests. */
type Act = (i: number) => Promise<Response>;

interface Rush {
  what: string;
  /** The names of its limits, or of the table that contains one. */
  limits: string[];
  /** Makes what the requests need, and returns what sends one. */
  prepare(fixture: AccessFixture): Promise<Act>;
}

const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

/** Returns a response with the status that the result of a function would have. */
const respond = async (result: Promise<{ ok: true } | Failure>): Promise<Response> =>
  new Response(null, { status: statusOf(await result) });

const ownerOf = async ({ site }: AccessFixture) => {
  const { issuer } = await addIssuer(site);
  return { issuer, test: false };
};

const FILE = "name,email\nGrace,grace@example.org\n";
const DEFAULTS = { title: "A", type: "Certificate", date: "2026-11-20" };

export const RUSHES_OF_ONE: Rush[] = [
  {
    what: "loads of a file by one view",
    limits: ["document_downloads"],
    // deno-lint-ignore require-await -- the others prepare something
    async prepare({ site: { services: { readings } }, clock }) {
      const ticket = `${clock.now + 60_000}.${"a".repeat(11)}.${"b".repeat(43)}`;
      const [view, file] = [{ permission: "public", ticket }, { blob: "blob" }];
      return async () => {
        const allowed = await readings.takeLoad(
          view as Parameters<typeof readings.takeLoad>[0],
          file as Parameters<typeof readings.takeLoad>[1],
        );
        return new Response(null, { status: allowed ? 200 : 429 });
      };
    },
  },
  {
    what: "replies of one administrator to 12 enquiries",
    limits: ["inbox_replies"],
    async prepare({ site: { services: { inbox } }, register }) {
      const hashes: string[] = [];
      for (let i = 0; i < 12; i++) {
        hashes.push(await register({ ...PERSON, email: `asks${i}@example.org` }));
      }
      const reply = { text: "Thank you.", name: "Ada", revision: 0 };
      return (i) =>
        respond(
          inbox.reply({ organisation: "commercial", hash: hashes[i % 12], by: BY }, {
            ...reply,
            key: crypto.randomUUID(),
          }),
        );
    },
  },
  {
    what: "files that one issuer sends to be checked",
    limits: ["issuing_checks"],
    async prepare(fixture) {
      const { issuer } = await ownerOf(fixture);
      const { batches } = fixture.site.services;
      const defaults = batchDefaults.parse(DEFAULTS);
      return () => respond(batches.check(issuer, new Blob([FILE]).stream(), defaults));
    },
  },
  {
    what: "batches of one issuer",
    limits: [batchLimits.prefix],
    async prepare(fixture) {
      const owner = await ownerOf(fixture);
      const { batches } = fixture.site.services;
      const body = new Blob([FILE]).stream();
      const { rows } = unwrap(
        await batches.check(owner.issuer, body, batchDefaults.parse(DEFAULTS)),
      );
      return () => respond(batches.add(owner, { name: null, by: "key k1", rows }));
    },
  },
  {
    what: "tests of the notifications of one record",
    limits: ["push_tests"],
    async prepare({ owner: { hash, cookie }, fetch, site: { services: { push } } }) {
      const json = { platform: "android", token: "phone" };
      const added = await fetch("/api/push/register", { json, cookie });
      if (added.status !== 201) throw new Error(await added.text());
      await added.body?.cancel();
      return () => respond(push.test(hash));
    },
  },
  {
    what: "corrections of one record",
    limits: ["record_correction_times"],
    // deno-lint-ignore require-await -- the others prepare something
    async prepare({ owner: { cookie }, fetch }) {
      const form = {
        name: PERSON.name,
        organisation: PERSON.organisation,
        email: "ada.q@mail.example.org",
        mobile_country: PERSON.mobile.country,
        mobile_number: PERSON.mobile.number,
        enquiry_type: PERSON.enquiry_type,
        message: PERSON.message,
      };
      return (i) =>
        fetch("/my-record/correct", { cookie, form: { ...form, name: `Ada ${"x".repeat(i)}` } });
    },
  },
  {
    what: "replacements of one record's key",
    limits: ["record_key_times"],
    async prepare({ owner: { hash }, site: { services: { kv, records: { keys } } } }) {
      const { row } = (await readRecord(kv, hash))!;
      await kv.set(recordRows.key(hash), { ...row, level: 3 });
      unwrap(await keys.issue({ hash, reader: READER }));
      const { current } = await keys.read(hash);
      return () => respond(keys.replace({ hash, reader: READER, id: current!.id }));
    },
  },
  {
    what: "uses of one key from new networks",
    limits: ["api_key_networks"],
    async prepare({ site, clock }) {
      const { issuer, create, call } = await addIssuer(site);
      const change = { organisation: "commercial", id: issuer.id, by: BY } as const;
      unwrap(await site.services.issuers.setContact({ ...change, contact: "it@harbour.example" }));
      const { key } = await create();
      clock.now += 31 * DAY_MS;
      return async (i) => {
        const response = await call(key, { from: `10.0.${i}.1` });
        await site.services.issuerKeys.settled();
        return response;
      };
    },
  },
];
