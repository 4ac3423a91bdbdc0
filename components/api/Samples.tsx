import { type Language, LANGUAGES, type Sample } from "../../lib/features/api/mod.ts";
import { CodeBlock } from "../CodeBlock.tsx";
import { RadioTabs } from "../RadioTabs.tsx";

/** How programs call an operation, in a tab per language. */
export function Samples({ samples }: { samples: readonly Sample[] }) {
  return (
    <>
      {samples.map(({ title, code }, i) => (
        <section class="below-5" key={title} aria-label={title ?? "Request"}>
          {title !== null && <h2 class="text-large below-2">{title}</h2>}
          <RadioTabs
            name={`sample-${i}`}
            legend="Language"
            tabs={Object.entries(LANGUAGES).map(([language, name]) => ({
              title: name,
              content: (
                <CodeBlock label={FILES[language as Language]} code={code[language as Language]} />
              ),
            }))}
          />
        </section>
      ))}
    </>
  );
}

const FILES: Readonly<Record<Language, string>> = {
  sh: "In a terminal",
  ts: "With gatehouse.ts",
  py: "With gatehouse.py",
};
