import { StateNote } from "../StateNote.tsx";

/** The buttons that reload a stand-in's page and simulate an outage of its service. */
export function StandInActions(
  { path, outage, notice }: { path: string; outage: boolean; notice: string },
) {
  return (
    <>
      <div class="actions">
        <a class="button small" href={path} id="refresh">Refresh</a>
        <form method="post" action={path}>
          <input type="hidden" name="act" value={outage ? "outage-off" : "outage-on"} />
          <button type="submit" class="button small" id="outage">
            {outage ? "End the outage" : "Simulate an outage"}
          </button>
        </form>
      </div>
      {outage && (
        <StateNote kind="error" title="Outage">
          <p>{notice}</p>
        </StateNote>
      )}
    </>
  );
}
