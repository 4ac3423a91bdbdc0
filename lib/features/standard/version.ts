import { HttpError } from "fresh";
import type { WholeText } from "./complete.ts";
import type { Standard } from "./mod.ts";

/**
 * Returns the text of the version that a request asks for with `?version=1.0`, by default the current
 * one.
 *
 * @throws {HttpError} 404 if there is no such version
 */
export function textOf(standard: Standard, { searchParams }: URL): WholeText {
  const text = standard.inVersion(searchParams.get("version") ?? standard.version);
  if (text === undefined) throw new HttpError(404);
  return text;
}
