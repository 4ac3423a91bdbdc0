/**
 * How programs call the operations. The samples are regions of the programs in `docs/issuing`, which
 * `tests/samples_test.ts` runs:
 *
 *     // region readDocument
 *     // region issueDocument: Issue a file of your own
 *     …
 *     // end region
 *
 * @module
 */
import batchesPy from "../../../docs/issuing/batches.py" with { type: "text" };
import batchesSh from "../../../docs/issuing/batches.sh" with { type: "text" };
import batchesTs from "../../../docs/issuing/batches.ts" with { type: "text" };
import documentsPy from "../../../docs/issuing/documents.py" with { type: "text" };
import documentsSh from "../../../docs/issuing/documents.sh" with { type: "text" };
import documentsTs from "../../../docs/issuing/documents.ts" with { type: "text" };
import webhooksPy from "../../../docs/issuing/webhooks.py" with { type: "text" };
import webhooksSh from "../../../docs/issuing/webhooks.sh" with { type: "text" };
import webhooksTs from "../../../docs/issuing/webhooks.ts" with { type: "text" };

/** The languages of samples, with their names for people. */
export const LANGUAGES = { sh: "curl", ts: "TypeScript", py: "Python" } as const;
export type Language = keyof typeof LANGUAGES;

/** A part of a program that calls an operation. */
interface Region {
  /** The id of the operation. */
  operation: string;
  /** A title, if the operation has several. */
  title: string | null;
  code: string;
}

/** How to do something with an operation, in all languages. */
export interface Sample {
  title: string | null;
  code: Readonly<Record<Language, string>>;
}

/** A program in all languages: the files in `docs/issuing` with its name. */
type Program = { name: string } & Readonly<Record<Language, string>>;

/** The programs, in the order in which they run. */
export const PROGRAMS: readonly Program[] = [
  { name: "documents", sh: documentsSh, ts: documentsTs, py: documentsPy },
  { name: "batches", sh: batchesSh, ts: batchesTs, py: batchesPy },
  { name: "webhooks", sh: webhooksSh, ts: webhooksTs, py: webhooksPy },
];

const REGION = /^[ ]*(?:\/\/|#) region (\w+)(?:: (.*))?\n([^]*?)^[ ]*(?:\/\/|#) end region$/gm;

/** Returns the parts of a program that call operations, in order. Each begins with the imports that it uses. */
export function regionsOf(program: string): Region[] {
  const [start] = program.split("region ");
  const imports = start.match(/^(?:import|from) .*$/gm) ?? [];
  return [...program.matchAll(REGION)].map(([, operation, title = null, text]) => {
    const code = dedent(text);
    const used = imports.filter((line) =>
      namesIn(line).some((name) => wordsOf(code).includes(name))
    );
    return { operation, title, code: [...used, ...used.length > 0 ? [""] : [], code].join("\n") };
  });
}

const wordsOf = (text: string): string[] => text.match(/\w+/g) ?? [];

/** Returns the names that an import declares, in TypeScript or Python. */
const namesIn = (line: string): string[] =>
  wordsOf(line.replace(/ from ".*|^from .* import /g, ""));

function dedent(text: string): string {
  const lines = text.trimEnd().split("\n");
  const indent = Math.min(
    ...lines.filter((line) => line !== "").map((line) => line.search(/[^ ]/)),
  );
  return lines.map((line) => line.slice(indent)).join("\n");
}

/** The samples of each operation. */
const SAMPLES: ReadonlyMap<string, readonly Sample[]> = Map.groupBy(
  PROGRAMS.flatMap(({ sh, ts, py }) => {
    const [inTs, inPy] = [regionsOf(ts), regionsOf(py)];
    return regionsOf(sh).map(({ operation, title, code }, i) => ({
      operation,
      title,
      code: { sh: code, ts: inTs[i]?.code, py: inPy[i]?.code },
    }));
  }),
  ({ operation }) => operation,
);

/**
 * Returns the samples of an operation, with the address of a deployment's API.
 *
 * @returns none if the operation has no samples
 */
export const samplesOf = (operation: string, api: string): Sample[] =>
  (SAMPLES.get(operation) ?? []).map(({ title, code: { sh, ts, py } }) => ({
    title,
    code: { sh: sh.replaceAll(EXAMPLE_API, api), ts, py },
  }));

/** The address of the API in the programs. */
export const EXAMPLE_API = "https://api.example";
