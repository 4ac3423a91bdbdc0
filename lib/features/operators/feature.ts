import { defineFeature } from "../../platform/feature.ts";
import { operatorsSettings } from "./variables.ts";

export const operatorsFeature = defineFeature({
  name: "operators",
  settings: operatorsSettings,
  create: () => ({}),
});
