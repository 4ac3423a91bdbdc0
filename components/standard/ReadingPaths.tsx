import type { Standard } from "../../lib/standard/mod.ts";

/** Which sections each role needs, in the order to read them; see the section on conformance. */
const PATHS: readonly { aim: string; ids: readonly string[] }[] = [
  { aim: "To check a chain", ids: ["verification", "heads", "test-vectors"] },
  { aim: "To publish records", ids: ["records", "event-chain", "privacy"] },
  { aim: "To be found by agents", ids: ["discovery"] },
];

/** Where to begin, for those who come with an aim. */
export function ReadingPaths({ standard }: { standard: Standard }) {
  return (
    <aside class="reading-paths" aria-labelledby="where-to-begin">
      <h2 id="where-to-begin">Where to begin</h2>
      <dl>
        {PATHS.map(({ aim, ids }) => (
          <div>
            <dt>{aim}</dt>
            {ids.map((id) => (
              <dd>
                <a href={`/standard/${id}`}>{standard.get(id)!.title}</a>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </aside>
  );
}
