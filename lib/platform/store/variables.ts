import { z } from "zod";
import { oneLine, text } from "../config/fields.ts";

export interface StoreConfig {
  /** True if nothing may be written. */
  readOnly: boolean;
  /** The id that the store must have; null for any. */
  id: string | null;
  /** Where the data is, for people; null if nobody has said. */
  region: string | null;
  /** True if production may start with an empty store. */
  allowEmpty: boolean;
}

const flag = z.enum(["0", "1"], "1, or unset").optional();

export const storeVariables = {
  READ_ONLY: flag,
  STORE_ID: text.regex(/^[\w-]{1,64}$/, "the id that the site prints when it starts").optional(),
  ALLOW_EMPTY_STORE: flag,
  STORE_REGION: oneLine.max(200, "at most 200 characters").optional(),
};

export const storeConfig = (
  values: {
    READ_ONLY?: string;
    STORE_ID?: string;
    STORE_REGION?: string;
    ALLOW_EMPTY_STORE?: string;
  },
  production: boolean,
): StoreConfig => ({
  readOnly: values.READ_ONLY === "1",
  id: values.STORE_ID ?? null,
  region: values.STORE_REGION ?? null,
  allowEmpty: !production || values.ALLOW_EMPTY_STORE === "1",
});
