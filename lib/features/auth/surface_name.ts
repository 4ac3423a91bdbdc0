import { z } from "zod";
import type { SurfaceName } from "../../platform/surfaces/mod.ts";

/** The name of a surface in the store, which another build may have written. */
export const surfaceName = z.custom<SurfaceName>((value) => typeof value === "string");
