/** Ways to read the parameters of a URL, for routes where one may be repeated. */
import type { z } from "zod";
import { checkInput } from "./body.ts";

/** Reads the known parameters; of one that is repeated, the last. */
export const readLastOfEach = <Schema extends z.ZodObject>(
  { url }: { url: URL },
  schema: Schema,
): z.output<Schema> => checkInput(schema, Object.fromEntries(url.searchParams));

/** Reads the known parameters; of one that is repeated, the first. One that is missing counts as empty. */
export const readFirstOfEach = <Schema extends z.ZodObject>(
  { url }: { url: URL },
  schema: Schema,
): z.output<Schema> =>
  checkInput(
    schema,
    Object.fromEntries(
      Object.keys(schema.shape).map((name) => [name, url.searchParams.get(name) ?? ""]),
    ),
  );

/** Reads the known parameters that are not empty. Forms send the others, too. */
export const readNonEmpty = <Schema extends z.ZodObject>(
  { url }: { url: URL },
  schema: Schema,
): z.output<Schema> => checkInput(schema, nonEmpty(url.searchParams));

/** Returns the parameters that are not empty. */
export function nonEmpty(params: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...params].filter(([, value]) => /\S/.test(value)));
}
