import { defineFeature } from "../../platform/feature.ts";
import { createStandard, type Standard } from "./mod.ts";

export interface StandardServices {
  standard: Standard;
}

export const standardFeature = defineFeature({
  name: "standard",
  create: (): StandardServices => ({ standard: createStandard() }),
});
