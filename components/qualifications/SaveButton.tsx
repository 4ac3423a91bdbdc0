/** The id of the form that all save buttons of a page submit. */
export const SAVE_FORM = "save-form";

/** The form of a page's save buttons. They work without JavaScript. */
export function SaveForm(
  { from, onSubmit }: { from: string; onSubmit?: (event: SubmitEvent) => void },
) {
  return (
    <form id={SAVE_FORM} method="post" action="/account/saved" onSubmit={onSubmit}>
      <input type="hidden" name="from" value={from} />
    </form>
  );
}

/** Saves or removes a qualification. The page must contain a {@link SaveForm}. */
export function SaveButton({ code, saved }: { code: string; saved: boolean }) {
  return (
    <button
      type="submit"
      form={SAVE_FORM}
      class={`button small save${saved ? " is-saved" : ""}`}
      name={saved ? "remove" : "save"}
      value={code}
      aria-label={saved ? `Saved: ${code}. Remove it` : `Save ${code}`}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d="M4 2h8v12l-4-3.200L4 14Z" stroke="currentColor" stroke-width="1.5" />
      </svg>
      {saved ? "Saved" : "Save"}
    </button>
  );
}
