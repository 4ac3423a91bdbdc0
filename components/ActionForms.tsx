import { useEffect } from "preact/hooks";
import { handleForms } from "./action_forms.ts";

/** Shows the results of the page's forms in place, see `handleForms`. */
export function ActionForms() {
  useEffect(handleForms, []);
  return <p class="visually-hidden" role="status" data-announce="" />;
}
