/** The message that confirms an action and offers to undo it, on the consoles and the record page. */
import type { ShownResult } from "../lib/platform/http/action_result.ts";

/**
 * The result of an action, with "Undo". It gets the focus. Without scripts it is at the top of the
 * page; with them, `handleForms` shows it where the card was.
 */
export function ActionResult(
  { result: { title, text, late, undo = null }, action }: {
    result: ShownResult;
    /** The path that "Undo" posts to. */
    action: string;
  },
) {
  return (
    <section
      id="result"
      class="action-result wrap gap-2-4 apart pad-3-4 below-4 round"
      role="status"
      tabindex={-1}
      autofocus
      data-result
      data-left={undo?.leftMs}
    >
      <div>
        <p class="flush anywhere">
          <strong>{title}.</strong>
        </p>
        {text && <p class="flush muted anywhere" data-early>{text}</p>}
        {late && <p class="flush muted anywhere" data-late hidden>{late}</p>}
      </div>
      {undo !== null && (
        <form method="post" action={action}>
          {Object.entries(undo.fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class="button" aria-label={`Undo: ${title}`} data-inline>
            Undo
          </button>
        </form>
      )}
    </section>
  );
}
