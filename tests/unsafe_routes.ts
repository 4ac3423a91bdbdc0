/** Finds the routes that handle unsafe methods, for the tests of what such routes must have. */
import { readRoutes } from "../lib/app/routes.ts";
import type { RouteProperties } from "../lib/platform/http/route_properties.ts";

const ROUTES = new URL("../routes/", import.meta.url);

/** Methods in the source of a route, and the functions that add POST to one. */
const UNSAFE = /\b(POST|PUT|PATCH|DELETE)(\(|:)|define\.handlers\(\(|\bmailedLink\(/;

/** Returns the properties of the routes that handle unsafe methods, by their patterns, in order. */
export async function readUnsafeRoutes(): Promise<Map<string, RouteProperties>> {
  const { properties, files } = await readRoutes(ROUTES.href);
  const unsafe = new Map<string, RouteProperties>();
  for (const [pattern, file] of [...files].sort(([a], [b]) => a < b ? -1 : 1)) {
    if (UNSAFE.test(await Deno.readTextFile(new URL(file, ROUTES)))) {
      unsafe.set(pattern, properties.get(pattern)!);
    }
  }
  return unsafe;
}
