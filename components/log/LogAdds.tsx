import type { State } from "../../lib/app/state.ts";

/**
 * Says in two sentences what the public log adds to a signed chain, and links to the page that explains
 * it, where that is served.
 *
 * @param props.ofStandard true where the text is about all publishers, who need not have a log
 */
export function LogAdds(
  { state: { services: { surfaces }, surface }, ofStandard = false }: {
    state: State;
    ofStandard?: boolean;
  },
) {
  const trust = surfaces.baseFrom(surface, "trust");
  return (
    <>
      Only the publisher could sign a rewritten history. {ofStandard
        ? "So a publisher can also enter every event in a public log"
        : "So every event also has an entry in a public log"}, which others can copy and
      countersign: whoever checks it can find out if a record is rewritten, or if two people are
      shown two histories.{" "}
      {trust !== null && (
        <a href={surface.serves("/log") ? "/log/about" : `${trust}/log/about`}>
          Who would notice what
        </a>
      )}
    </>
  );
}
