import { compilePattern, isDynamic, type Matcher } from "./pattern.ts";
import type { Method } from "./types.ts";

export const METHODS: readonly Method[] = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
];

interface Entry<T> {
  pattern: string;
  match: Matcher;
  byMethod: Map<string, T[]>;
}

/** What a router says of a path: nothing, a route, or a route that does not answer the method. */
export interface RouteMatch<T> {
  pattern: string;
  params: Record<string, string>;
  /** Absent when the path is known but the method is not. */
  steps: T[] | undefined;
  byMethod: Map<string, T[]>;
}

const NO_PARAMS: Record<string, string> = Object.freeze(Object.create(null));

/** Static paths by a table, then dynamic ones in the order in which they were added. */
export class Router<T> {
  #statics = new Map<string, Entry<T>>();
  #dynamics: Entry<T>[] = [];

  /** Adds steps; where the same route has some already, the new ones come after them. */
  add(method: Method, pattern: string, steps: T[]): void {
    let entry = this.#entry(pattern);
    if (entry === undefined) {
      const dynamic = isDynamic(pattern);
      entry = {
        pattern,
        match: dynamic ? compilePattern(pattern) : () => NO_PARAMS,
        byMethod: new Map(),
      };
      if (dynamic) this.#dynamics.push(entry);
      else this.#statics.set(pattern, entry);
    }
    entry.byMethod.set(method, [...entry.byMethod.get(method) ?? [], ...steps]);
  }

  match(method: string, pathname: string): RouteMatch<T> | null {
    const known = this.#statics.get(pathname) ??
      this.#statics.get(otherSlash(pathname));
    if (known !== undefined) return found(known, NO_PARAMS, method);
    for (const entry of this.#dynamics) {
      const params = entry.match(pathname);
      if (params !== null) return found(entry, params, method);
    }
    return null;
  }

  #entry(pattern: string): Entry<T> | undefined {
    return this.#statics.get(pattern) ??
      this.#dynamics.find((entry) => entry.pattern === pattern);
  }
}

function found<T>(entry: Entry<T>, params: Record<string, string>, method: string): RouteMatch<T> {
  const { pattern, byMethod } = entry;
  const steps = byMethod.get(method) ??
    (method === "HEAD" ? byMethod.get("GET") : undefined);
  return { pattern, params, steps, byMethod };
}

function otherSlash(pathname: string): string {
  return pathname.endsWith("/") ? pathname.slice(0, -1) : pathname + "/";
}
