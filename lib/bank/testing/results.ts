import type { Cached, Lookup } from "../cache.ts";
import { type BankError, isBankError } from "../errors.ts";

/** The data of a result that has to be there. */
export function dataOf<Data extends object>(result: Data | BankError): Data {
  if (isBankError(result)) throw new Error(`Got an error: ${JSON.stringify(result)}`);
  return result;
}

/** The same of a cache's lookup. */
export function cachedOf<Data>(lookup: Lookup<Data>): Cached<Data> {
  if ("error" in lookup) throw new Error(`Got an error: ${JSON.stringify(lookup.error)}`);
  return lookup;
}
