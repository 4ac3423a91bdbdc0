/** The people, records and documents that the product's screenshots show. */
import { PDFDocument, rgb, StandardFonts } from "@cantoo/pdf-lib";
import { unwrap } from "../lib/platform/http/errors.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { ADMIN } from "../tests/bank_site.ts";
import { fakeProvider } from "../tests/codes_site.ts";
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
  const file = await certificate();
  const added = await services.documents.add({
    record: hash,
    organisation: "commercial",
    title: "Certificate of completion",
    kind: "Certificate",
    public: true,
    guessable: false,
    file_name: "certificate.pdf",
    by: ADMIN,
  }, new Blob([file]).stream());
  const { id } = unwrap(added).document;
  for (const event of ["document_viewed", "document_verified", "record_verified"] as const) {
    wait(7 * HOUR_MS);
    await services.chains.append(hash, event);
  }

  clock.now = NOW;
  await services.jobs.run("log"); // or the pages would warn that nothing is in the log
  return {
    ...fixture,
    hash,
    holderCookie: await fixture.signIn([hash]),
    document: { id, file },
  };
}

/** The qualification on the certificate. It must be current. */
export const QUALIFICATION = {
  code: "CHC50125",
  title: "Diploma of Early Childhood Education and Care",
};

/** Draws a certificate of one page, so wide that a picture shows all of it. */
export async function certificate(): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const [text, title] = [
    await pdf.embedFont(StandardFonts.Helvetica),
    await pdf.embedFont(StandardFonts.TimesRoman),
  ];
  const [width, height] = [841.89, 595.28];
  const page = pdf.addPage([width, height]);
  const centred = (line: string, y: number, size: number, font = text) =>
    page.drawText(line, { x: (width - font.widthOfTextAtSize(line, size)) / 2, y, size, font });
  page.drawRectangle({
    x: 40,
    y: 110,
    width: width - 80,
    height: height - 160,
    borderWidth: 1.5,
    borderColor: rgb(0.1, 0.14, 0.2),
  });
  centred("SAMPLE", height - 85, 11);
  centred("Certificate of completion", height - 145, 34, title);
  centred("This certifies that", height - 200, 13);
  centred("Ada Example", height - 245, 28, title);
  centred("has completed the requirements of", height - 285, 13);
  centred(QUALIFICATION.code, height - 325, 18);
  centred(QUALIFICATION.title, height - 351, 15);
  centred("Example College, 15 November 2026", height - 425, 12);
  return new Uint8Array(await pdf.save());
}
