/** The people, records and documents that the product's screenshots show. */
import { unwrap } from "../lib/platform/http/errors.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { ADMIN } from "../tests/bank_site.ts";
import { fakeProvider } from "../tests/codes_site.ts";
import { addIssuer } from "../tests/key_site.ts";
import { type RecordFixture, recordFixture } from "../tests/record_site.ts";

/** When the screenshots are taken, on every run. */
const NOW = Date.parse("2026-11-18T10:30:00.000Z");
/** Hosts that can be recognised as examples. */
const HOSTS: Partial<Record<SurfaceName, string[]>> = {
  "site": ["https://qualpack.example"],
  "foundation": ["https://openrecords.example"],
  "foundation-mcp": ["https://mcp.openrecords.example"],
  "commercial": ["https://attest.example"],
  "commercial-mcp": ["https://mcp.attest.example"],
  "investor": ["https://investors.attest.example"],
  "api": ["https://api.attest.example"],
  "trust": ["https://trust.attest.example"],
};
const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

/** A site with sample data for screenshots. */
export interface ProductSite extends RecordFixture {
  /** The record that the screenshots show, and its holder's `Cookie` header. */
  hash: string;
  holderCookie: string;
  /** The `Cookie` header of somebody who has opened a link to the document. */
  readerCookie: string;
  /** A document of the record: its id, and the file that was registered. */
  document: { id: string; file: Uint8Array<ArrayBuffer> };
}

const person = (name: string, organisation: string, enquiry: string) => ({
  name,
  organisation,
  email: `${name.split(" ")[0].toLowerCase()}@example.org`,
  mobile: { country: "AU", number: "0491 570 006" },
  enquiry_type: enquiry,
  message: "We would like to register our certificates.",
  elapsed_ms: 8_000,
});

/** The mobile number of these people, from the range reserved for films. */
const MOBILE = "+61491570006";
/** The people that the console lists, oldest first. The last one is the holder of the record. */
const PEOPLE = [
  person("Noor Sample", "Sample Institute", "Enterprise Partner"),
  person("Bela Sample", "Sample Academy", "Investor"),
  person("Ines Sample", "Sample Workshop", "Enterprise Partner"),
  person("Otis Sample", "Sample Studio", "Other"),
];
const HOLDER = person("Ada Example", "Example College", "Enterprise Partner");

/** Creates the site. Everything happens at fixed times. */
export async function productSite(): Promise<ProductSite> {
  const codeProvider = fakeProvider();
  const fixture = await recordFixture({
    SURFACE_HOSTS: JSON.stringify(HOSTS),
    OPS_L1_EMAILS: ADMIN,
  }, { codeProvider });
  const { site, clock } = fixture;
  const { services } = site;
  const wait = (ms: number) => clock.now += ms;
  clock.now = NOW - 40 * DAY_MS;

  for (const one of PEOPLE) {
    await (await fixture.send(one, { query: "?organisation=commercial" })).body?.cancel();
    wait(6 * DAY_MS + 3 * HOUR_MS);
  }
  const { hash } = await fixture.holder(HOLDER);
  let cookie = await fixture.signIn([hash]);
  const post = async (path: string, body: { form: Record<string, string> } | { json: unknown }) => {
    wait(2 * MINUTE_MS);
    const response = await fixture.fetch(path, { cookie, ...body });
    if (response.status >= 400) throw new Error(`${path}: ${await response.text()}`);
    await response.body?.cancel();
    for (const set of response.headers.getSetCookie()) cookie += `; ${set.split(";")[0]}`;
    await services.codes.flush();
  };
  const purpose = "confirm_number";
  await post("/my-record/declaration", {
    form: { text: "To show employers the certificates that I have earned.", deliberate: "1" },
  });
  await post("/api/auth/otp/send", { json: { method: "sms", purpose } });
  const code = codeProvider.code(MOBILE);
  await post("/api/auth/otp/verify", { json: { code, purpose } });
  unwrap(await services.records.keys.issue({ hash, reader: READER }));

  clock.now = NOW - 3 * DAY_MS;
  cookie = await fixture.signIn([hash]);
  const college = await addIssuer(site, HOLDER.organisation);
  const issued = await college.call(await college.key(), {
    path: "/api/documents",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      recipient: { name: HOLDER.name, email: HOLDER.email },
      title: QUALIFICATION.title,
      type: "Certificate",
      date: "2026-11-15",
      template: {
        name: "certificate",
        fields: { subtitle: QUALIFICATION.code, grade: "Competent", signatory: "Ruth Example" },
      },
    }),
  });
  const { id } = await issued.json();
  const link = (await fixture.mails()).find(({ link }) => link?.includes("/accept?"))!.link!;
  const accepted = Object.fromEntries(new URL(link).searchParams);
  await post("/accept", { form: { ...accepted, act: "add", record: hash } });
  const original = await fixture.fetch(`/d/${id}/file?form=original`, { cookie });
  const file = new Uint8Array(await original.arrayBuffer());
  const shared = await fixture.fetch(`/my-record/share?document=${id}`, {
    cookie,
    headers: { accept: "application/json" },
    json: { act: "create", days: "7", openings: "5", form: crypto.randomUUID() },
  });
  const { code: shareCode } = await shared.json();
  for (const event of ["document_viewed", "document_verified", "record_verified"] as const) {
    wait(7 * HOUR_MS);
    await services.chains.append(hash, event);
  }

  clock.now = NOW;
  await services.jobs.run("log"); // or the pages would warn that nothing is in the log
  const opened = await fixture.fetch("/s", {
    form: { act: "open", code: shareCode, page: "page" },
  });
  return {
    ...fixture,
    hash,
    holderCookie: await fixture.signIn([hash]),
    readerCookie: opened.headers.get("set-cookie")!.split(";")[0],
    document: { id, file },
  };
}

/** The qualification on the certificate. It must be current. */
export const QUALIFICATION = {
  code: "CHC50125",
  title: "Diploma of Early Childhood Education and Care",
};
