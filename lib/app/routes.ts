/** The properties of all routes, such as their audience, which are those of their files and of their operations. */
import type { Context } from "fresh";
import { type Operation, OPERATIONS } from "../features/api/mod.ts";
import { wantsPage } from "../platform/http/audience.ts";
import { isFormPost } from "../platform/http/body.ts";
import type { RouteProperties } from "../platform/http/route_properties.ts";

type Audience = NonNullable<RouteProperties["audience"]>;

/** A request with the pattern of its route. */
type Routed = Pick<Context<unknown>, "req" | "route" | "url">;

/** The properties of all file routes. */
export class Routes {
  /** The audiences by the first part of the path, for paths without a route, such as `/api/nothing`. */
  readonly #audiences = new Map<string, Audience>();

  /**
   * @param properties by pattern, such as `/d/:id{/:page}?`
   * @param files the paths of the files below `routes/`, by pattern
   */
  constructor(
    readonly properties: ReadonlyMap<string, RouteProperties>,
    readonly files: ReadonlyMap<string, string> = new Map(),
  ) {
    for (const [pattern, { audience = "people" }] of properties) {
      const [, folder, ...rest] = pattern.split("/");
      if (rest.length === 0) continue;
      const others = this.#audiences.get(folder) ?? audience;
      const both = others === audience || others === "people" ? others : "both";
      this.#audiences.set(folder, audience === "people" ? audience : both);
    }
  }

  /** Returns the properties of a request's route; none if no route matches. */
  of({ route }: { route: Routed["route"] }): RouteProperties {
    return (route === null ? undefined : this.properties.get(route)) ?? NONE;
  }

  /**
   * Returns whether a request comes from a program. A path without a route has the audience of the
   * routes in its top folder, unless one of them is for people only.
   */
  isForPrograms(ctx: Routed): boolean {
    const { audience } = ctx.route === null
      ? { audience: this.#audiences.get(ctx.url.pathname.split("/", 2)[1]) }
      : this.of(ctx);
    return audience === "programs" || audience === "both" && !isFormPost(ctx.req);
  }

  /** Returns whether a request gets errors as JSON from a route that also has pages. */
  expectsJson(ctx: Routed): boolean {
    return this.of(ctx).servesJson === true && !wantsPage(ctx.req) && !isFormPost(ctx.req);
  }
}

const NONE: RouteProperties = {};

/**
 * Reads the properties of the file routes, from their files and the operations of the API.
 *
 * @param folder the URL of `routes/`, with a slash at the end
 */
export async function readRoutes(folder: string): Promise<Routes> {
  const files = await routeFiles(folder);
  const modules = await importAll(files.map(({ file }) => folder + file));
  return new Routes(
    new Map(files.map(({ pattern }, i) => [
      pattern,
      { ...propertiesOfOperations(pattern), ...modules[i].properties },
    ])),
    new Map(files.map(({ file, pattern }) => [pattern, file])),
  );
}

/** Returns the properties that a route has because of its operations. */
export const propertiesOfOperations = (pattern: string): RouteProperties =>
  Object.assign({}, ...OPERATIONS.filter(({ path }) => path === pattern).map(propertiesOf));

const propertiesOf = ({ hasPage, keyScope, properties }: Operation): RouteProperties => ({
  ...hasPage && { servesJson: true },
  // Issuers call it with an API key instead of a session.
  ...keyScope !== undefined && { audience: "programs", crossSite: "all", anonymous: true },
  ...properties,
});

/**
 * Imports modules through one that imports them all, because Deno resolves all dependencies at each `import()`.
 * Fresh does the same, but its substitute exports only what Fresh exports.
 */
async function importAll(urls: readonly string[]): Promise<{ properties?: RouteProperties }[]> {
  const lines = urls.map((url, i) => `export * as _${i} from ${JSON.stringify(url)};`);
  const all = await import(`data:text/javascript,${encodeURIComponent(lines.join(""))}`);
  return urls.map((_, i) => all[`_${i}`]);
}

/** A route's path below `routes/`, and Fresh's pattern of it. */
interface RouteFile {
  file: string;
  pattern: string;
}

/** Returns the routes in a folder, whose URL ends with a slash. */
export async function routeFiles(folder: string, below = ""): Promise<RouteFile[]> {
  const found: RouteFile[] = [];
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder + below))) {
    if (isDirectory) found.push(...await routeFiles(folder, `${below}${name}/`));
    else if (!name.startsWith("_")) {
      found.push({ file: below + name, pattern: patternOf(below + name) });
    }
  }
  return found;
}

/** Returns Fresh's pattern of a route file. */
const patternOf = (file: string): string =>
  "/" + file.replace(/\.tsx?$/, "").replace(/(^|\/)index$/, "")
    .replaceAll(/\/\[\[(\w+)\]\]/g, "{/:$1}?").replaceAll(/\[\.\.\.(\w+)\]/g, ":$1*")
    .replaceAll(/\[(\w+)\]/g, ":$1");
