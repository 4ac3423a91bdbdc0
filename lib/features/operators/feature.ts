import { defineFeature, type Platform } from "../../platform/feature.ts";
import { createOperators, type Operators } from "./mod.ts";
import { operatorTables } from "./tables.ts";
import { operatorsSettings, type OpsConfig } from "./variables.ts";

export interface OperatorsServices {
  /** Knows who may use which console. */
  operators: Operators;
}

export const operatorsFeature = defineFeature({
  name: "operators",
  tables: operatorTables,
  settings: operatorsSettings,
  create: (
    { kv, clock, config }: Platform & { config: { ops: OpsConfig } },
  ): OperatorsServices => ({
    operators: createOperators({ kv, clock, ops: config.ops }),
  }),
});
