/** The requests that change saved items. */
import { z } from "zod";
import { unmarked } from "../../base/pasted.ts";
import { safeNext } from "../auth/mod.ts";
import { checkInput } from "../../platform/http/body.ts";
import { RequestError } from "../../platform/http/errors.ts";
import { readPageRequest } from "./params.ts";
import type { SavedChange } from "./saved.ts";

const code = z.string().max(20, "Should be a code.").overwrite(unmarked).toUpperCase().optional();
const search = z.string().max(2_000, "Should be the query of a search.").optional();

/** Each button has one of these fields. The search is a URL's query, such as `?q=care&level=3`. */
const formSchema = z.object({
  save: code,
  remove: code,
  save_search: search,
  remove_search: search,
  clear_recents: z.string().max(20).optional(),
  /** The page that the form was on. */
  from: z.unknown().optional(),
});

/**
 * Reads a posted change of somebody's saved items, and the page to return to.
 *
 * @throws {RequestError} 400 unless there is exactly one change
 */
export function readSavedForm(input: unknown): { change: SavedChange; from: string } {
  const { from, ...form } = checkInput(formSchema, input);
  const fields = Object.entries(form).filter(([, value]) => value !== undefined);
  if (fields.length !== 1) throw new RequestError(400, "Send one change at a time.");
  return { change: changeOf(form), from: safeNext(from) ?? "/account" };
}

function changeOf(form: Omit<z.infer<typeof formSchema>, "from">): SavedChange {
  if (form.save !== undefined) return { save: form.save };
  if (form.remove !== undefined) return { remove: form.remove };
  if (form.save_search !== undefined) return { saveSearch: filtersOf(form.save_search) };
  if (form.remove_search !== undefined) return { removeSearch: filtersOf(form.remove_search) };
  return { clearRecents: true };
}

const filtersOf = (search: string) =>
  readPageRequest({ searchParams: new URLSearchParams(search) } as URL).filters;
