import { defineFeature, type Platform } from "../../platform/feature.ts";
import { type Catalogue, createCatalogue } from "./mod.ts";
import { createSaved, type Saved, userData } from "./saved.ts";

export interface QualificationServices {
  catalogue: Catalogue;
  /** The queries and qualifications that users of the site have saved. */
  saved: Saved;
}

export const qualificationsFeature = defineFeature({
  name: "qualifications",
  tables: [userData],
  create(below: Platform): QualificationServices {
    const catalogue = createCatalogue();
    return { catalogue, saved: createSaved({ ...below, catalogue }) };
  },
});
