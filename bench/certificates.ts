/** The benchmark `certificates`: the CPU time of making a PDF certificate and its issued copy. */
import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import process from "node:process";
import { issuePdf, issuingThread } from "../lib/features/documents/issue_pdf.ts";
import { DETAILS } from "../lib/features/documents/testing/pdfs.ts";
import {
  type CertificateInput,
  createCertificates,
} from "../lib/features/issuing/certificate/mod.ts";
import { atMost, type Table, withRatio } from "./table.ts";

/** The most milliseconds of CPU time that a certificate and its issued copy may take. */
const TARGET_MS = 60;

const COUNT = 40;

const input = (i: number): CertificateInput => ({
  fields: {
    name: `Ada Lovelace ${i}`,
    title: "Certificate III in Early Childhood Education and Care",
    date: "2026-11-20",
    subtitle: "Specialisation in inclusive practice",
    body:
      "Has met all requirements of the qualification, including 160 hours of work placement, and " +
      "has shown sound knowledge of children’s development, safety and wellbeing.",
    grade: "With distinction",
    signatory: "Dr Maria Schmidt",
    signatory_title: "Director of Studies",
  },
  issuer: { name: "Harbour College", domain: "harbour.example" },
  at: "2026-11-28T15:00:00.000Z",
});

/** Compares certificates and their issued copies, made in threads, with the least that the library can do. */
export async function run({ rounds }: { rounds: number }): Promise<Table[]> {
  await using certificates = createCertificates();
  await using thread = issuingThread();
  const certificate = async (i: number) => {
    const made = await certificates.make(input(i));
    if (!made.ok) throw new Error(made.error);
    return made.bytes;
  };
  const bytes = await certificate(0);
  const steps = {
    certificate,
    bareCertificate,
    copy: () => issuePdf(bytes, DETAILS, thread.run),
    bareCopy: () => bareCopy(bytes),
    alone: () => issuePdf(bytes, DETAILS),
    bareBoth: async (i: number) => await bareCopy(await bareCertificate(i)),
    both: async (i: number) => await issuePdf(await certificate(i), DETAILS, thread.run),
  };
  type Step = keyof typeof steps;
  const times = Object.fromEntries(Object.keys(steps).map((step) => [step, [] as number[]])) as //
  Record<Step, number[]>;
  for (let round = -1; round < rounds; round++) {
    for (const [step, run] of Object.entries(steps) as [Step, (i: number) => Promise<unknown>][]) {
      const count = step === "alone" ? COUNT / 10 : COUNT;
      const start = cpuMs();
      for (let i = 0; i < count; i++) await run(i);
      if (round >= 0) times[step].push((cpuMs() - start) / count); // the first one compiles
    }
  }
  const row = (name: string, step: Step, bareName: string, bare: Step, target = "") => {
    const value = median(times[step].map((own, i) => times[bare][i] / own));
    return withRatio(
      [name, ms(times[step]), `${bareName}: ${ms(times[bare])}`, value.toFixed(2), target],
      { name: `${name}, compared with ${bareName}`, value },
    );
  };
  return [{
    title: "`certificates`: certificates and their issued copies, in threads, on one core",
    columns: ["what", "CPU", "compared with", "ratio", "target"],
    rows: [
      row("a certificate", "certificate", "its texts in a standard font", "bareCertificate"),
      row("an issued copy", "copy", "the page in a new PDF", "bareCopy"),
      row("an issued copy", "copy", "in a thread of its own", "alone"),
      row(
        "both",
        "both",
        "both with the library alone",
        "bareBoth",
        atMost(TARGET_MS, Math.round(median(times.both))),
      ),
    ],
  }];
}

/** Writes the texts of a certificate with the library alone: in a font that viewers have, without tags. */
async function bareCertificate(i: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.TimesRoman);
  const page = pdf.addPage([842, 595]);
  const { fields, issuer } = input(i);
  for (const [line, text] of [issuer.name, ...Object.values(fields)].entries()) {
    const size = 20;
    const x = (842 - font.widthOfTextAtSize(text, size)) / 2;
    page.drawText(text, { x, y: 500 - 40 * line, size, font });
  }
  return await pdf.save({ objectsPerTick: Infinity });
}

/** Puts the page of a PDF, made smaller, on the page of a new one. */
async function bareCopy(bytes: Uint8Array): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const [embedded] = await pdf.embedPdf(await PDFDocument.load(bytes));
  pdf.addPage([842, 595]).drawPage(embedded, { x: 50, y: 80, xScale: 0.87, yScale: 0.87 });
  return await pdf.save({ objectsPerTick: Infinity });
}

/** Returns the CPU time of this process, of all its threads. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const ms = (times: readonly number[]) => `${median(times).toFixed(1)} ms`;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
