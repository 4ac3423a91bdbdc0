/** The benchmark `batches`: CPU time for issuing certificates from a file, compared with making the PDFs alone. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { parseConfig } from "../lib/app/config.ts";
import { createServices } from "../lib/app/services.ts";
import { issuePdf, issuingThread } from "../lib/features/documents/issue_pdf.ts";
import { batchDefaults } from "../lib/features/issuing/batches/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { atLeast, integer, type Table, withRatio } from "./table.ts";

const ROWS = 1_000;

/** The lowest rate of documents on one core, as a share of the rate at which their PDFs alone are made. */
const TARGET = 0.5;

const FIELDS = {
  name: "Grace Student",
  title: "Certificate III in Early Childhood Education and Care",
  date: "2026-11-20",
  subtitle: "CHC30121",
  grade: "Competent",
  signatory: "Ruth Harbour",
  signatory_title: "Head of College",
};

/** Milliseconds of CPU for one document, in all threads of the process. */
async function cost(work: () => Promise<void>, count = ROWS): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
}

type Services = ReturnType<typeof createServices>;

async function withServices<Result>(
  options: { copies: boolean },
  use: (services: Services) => Promise<Result>,
): Promise<Result> {
  const folder = await Deno.makeTempDir();
  const services = createServices(
    parseConfig({ LOG_LEVEL: "error" }),
    await openKv(join(folder, "batches.kv")),
    options.copies ? {} : { issuePdf: null },
  );
  try {
    return await use(services);
  } finally {
    await services.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the CPU time of a batch per document: for checking its file, storing it and issuing it. */
const batchCost = ({ copies, test }: { copies: boolean; test: boolean }) =>
  withServices({ copies }, async ({ batches, issuers }) => {
    const issuer = (await issuers.read("commercial", "commercial"))!;
    const owner = { issuer, test };
    const { title, date, subtitle, grade, signatory, signatory_title } = FIELDS;
    const people = (count: number, from: number) =>
      [
        "name,email,external_id,subtitle,grade,signatory,signatory_title",
        ...Array.from({ length: count }, (_, i) =>
          [
            `Grace Student ${from + i}`,
            `grace${from + i}@example.org`,
            from + i,
            subtitle,
            grade,
            signatory,
            signatory_title,
          ].join(",")),
      ].join("\n");
    const signal = new AbortController().signal;
    const issue = async (count: number, from: number) => {
      let rows: Parameters<typeof batches.add>[1]["rows"] = [];
      const checking = await cost(async () => {
        const file = new Blob([people(count, from)]).stream();
        const checked = await batches.check(issuer, file, batchDefaults.parse({ title, date }));
        if (!checked.ok) throw new Error(checked.message);
        rows = checked.rows;
      }, count);
      const storing = await cost(async () => {
        await batches.add(owner, { name: null, by: "key k1", rows });
      }, count);
      const issuing = await cost(async () => {
        await batches.job.run({ cursor: null, signal, save: () => Promise.resolve() });
      }, count);
      const [{ state, issued }] = await batches.list(owner);
      if (state !== "holding" || issued !== count) throw new Error(`${state}, ${issued} issued`);
      return { checking, storing, issuing };
    };
    await issue(50, ROWS); // loads the libraries, and starts the threads
    return await issue(ROWS, 0);
  });

/** Measures how many certificates a batch issues on one core, and the CPU time of each step. */
export async function run(): Promise<Table[]> {
  const { certificate, copy, hashes } = await withServices({ copies: true }, pdfCost);
  const full = await batchCost({ copies: true, test: false });
  const withoutCopies = await batchCost({ copies: false, test: false });
  const unlogged = await batchCost({ copies: false, test: true });
  const total = full.checking + full.storing + full.issuing;
  const parts: [string, number][] = [
    ["checking the file", full.checking],
    ["storing its rows", full.storing],
    ["the certificate", certificate],
    ["the issued copy", copy],
    [
      "reading the certificate again, and storing the copy",
      full.issuing - withoutCopies.issuing - copy,
    ],
    ["hashing both files", hashes],
    ["the public log", withoutCopies.issuing - unlogged.issuing],
    [
      "everything else: the store, the recipient, webhooks",
      unlogged.issuing - certificate - hashes,
    ],
  ];
  const bare = certificate + copy;
  const ratio = bare / total;
  return [{
    title: `\`batches\`: ${
      integer(ROWS)
    } certificates from a file, with issued copies, on one core`,
    columns: ["", "documents per second", "of the PDFs alone", "target"],
    rows: [
      ["making both PDFs, nothing else", (1000 / bare).toFixed(1), "1.00", ""],
      withRatio(
        ["a batch", (1000 / total).toFixed(1), ratio.toFixed(2), atLeast(TARGET, ratio)],
        { name: "a batch, compared with making the PDFs alone", value: ratio },
      ),
    ],
  }, {
    title: "`batches`: where the CPU time of a document goes",
    columns: ["part", "ms", "share"],
    rows: parts.map(([part, ms]) => [part, ms.toFixed(2), `${integer(100 * ms / total)} %`]),
  }];
}

/** Returns the CPU time of making a document's PDFs, without a batch. */
async function pdfCost({ certificates, issuers, surfaces }: Services) {
  const issuer = (await issuers.read("commercial", "commercial"))!;
  const make = async () => {
    const made = await certificates.make(issuer, FIELDS, false);
    if (!made.ok) throw new Error(made.error);
    return made.bytes;
  };
  await using thread = issuingThread();
  const original = await make();
  const copyOf = async () => {
    const issued = await issuePdf(original, {
      address: surfaces.url("trust", "/d/7K3M9Q2XB4TW0ZRA")!,
      sha256: createHash("sha256").update(original).digest("hex"),
      issuer: { name: issuer.name },
      organisation: "commercial",
      issuedAt: "2026-11-28T09:30:00.000Z",
      title: FIELDS.title,
      checkUrl: surfaces.url("trust", "/check")!,
    }, thread.run);
    if (!issued.ok || issued.unchanged) throw new Error("There is no copy.");
    return issued.bytes;
  };
  const copied = await copyOf();
  const repeat = (step: () => unknown) => async () => {
    for (let i = 0; i < ROWS; i++) await step();
  };
  await repeat(make)(); // the first ones are slower
  return {
    certificate: await cost(repeat(make)),
    copy: await cost(repeat(copyOf)),
    hashes: await cost(repeat(() => {
      for (const bytes of [original, copied]) createHash("sha256").update(bytes).digest("hex");
    })),
  };
}
