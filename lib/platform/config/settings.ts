/** How a feature declares its environment variables and its part of the configuration. */
import type { z } from "zod";
import type { OrganisationKey } from "../surfaces/table.ts";
import type { OrganisationConfig } from "./organisations.ts";
import type { SurfaceHosts } from "./surfaces.ts";

/** Values that settings depend on besides their own variables. */
export interface SettingsContext {
  production: boolean;
  /** True on an instance of Deno Deploy. */
  denoDeploy: boolean;
  hosts: SurfaceHosts;
  /** The hosts that `SURFACE_HOSTS` names, without the defaults of development. */
  namedHosts: SurfaceHosts;
}

/** The part of the platform's configuration that the summary of a feature depends on. */
export interface Deployment {
  env: "development" | "production";
  surfaceHosts: SurfaceHosts;
  organisations: Record<OrganisationKey, OrganisationConfig>;
}

/** The environment variables of a feature, and its part of the configuration. */
export interface Settings<Shape extends z.ZodRawShape, Part extends object> {
  /** The schemas of the variables by their names. A message says what a value should be. */
  variables: Shape;
  config(values: z.output<z.ZodObject<Shape>>, context: SettingsContext): Part;
  /** Returns a line for each problem that no variable has by itself, such as a missing one. */
  problems?(values: z.output<z.ZodObject<Shape>>, context: SettingsContext): string[];
  /** Returns what is switched off and why, a line each, for the summary at startup. */
  off?(config: Part & Deployment): string[];
  /** Returns the hosts that it serves besides the surfaces, for the same summary. */
  hosts?(config: Part): { name: string; host: string }[];
}

/**
 * Types the settings of a feature.
 *
 * @example
 * ```ts
 * export const exampleSettings = defineSettings({
 *   variables: { EXAMPLE_LIMIT: wholeNumber("a number up to 100", 100).default(10) },
 *   config: ({ EXAMPLE_LIMIT }) => ({ example: { limit: EXAMPLE_LIMIT } }),
 * });
 * ```
 */
export const defineSettings = <Shape extends z.ZodRawShape, Part extends object>(
  settings: Settings<Shape, Part>,
): Settings<Shape, Part> => settings;
