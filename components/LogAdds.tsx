import type { State } from "../lib/app/state.ts";

/**
 * Says in one sentence what the public log adds to a signed chain, and links to the page that explains it, where
 * that is served.
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
      If the publisher itself rewrites a history, a public log {ofStandard ? "can show" : "shows"}
      {" "}
      it{trust === null ? "." : (
        <>
          :{" "}
          <a href={surface.serves("/log") ? "/log/about" : `${trust}/log/about`}>
            who would notice what
          </a>.
        </>
      )}
    </>
  );
}
