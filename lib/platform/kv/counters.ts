import { z } from "zod";

/** The value of a counter, for the schema of its table. */
export const counter = z.instanceof(Deno.KvU64);
