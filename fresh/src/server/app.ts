/** The class `App`, to which a site adds its middlewares and routes. */
import { type Assets, islandsOf, type NamedModule, type StaticFile } from "../assets.ts";
import { setBuildKey } from "../runtime.ts";
import { METHODS, type Middleware } from "./define.ts";
import { addFileRoutes, type RouteModule } from "./file_routes.ts";
import { createHandler, type Handler } from "./respond.ts";
import { RouteTable } from "./route_table.ts";

/** A build, in memory or read from disk. */
export interface Build<State> extends Pick<Assets, "key" | "mode" | "scripts"> {
  routes: NamedModule<RouteModule<State>>[];
  islands: NamedModule[];
  files: [path: string, file: StaticFile][];
}

/** Gives an app its build; not visible to the site. */
export let applyBuild: <State>(app: App<State>, build: Build<State>) => void;

/** A web application: middlewares and routes in the order in which they are added. */
export class App<State> {
  /** Applied when the handler is created, because only then is the build known. */
  #additions: ((table: RouteTable<State>, build: Build<State>) => void)[] = [];
  #build: Build<State> = {
    key: "",
    mode: "production",
    routes: [],
    islands: [],
    scripts: {},
    files: [],
  };

  static {
    applyBuild = (app, build) => {
      app.#build = build;
    };
  }

  /** Adds middlewares for everything at or below a path that is added after them. */
  use(...middlewares: Middleware<State>[]): this;
  use(path: string, ...middlewares: Middleware<State>[]): this;
  use(first: string | Middleware<State>, ...rest: Middleware<State>[]): this {
    return typeof first === "string"
      ? this.#add((table) => table.use(first, rest))
      : this.#add((table) => table.use("*", [first, ...rest]));
  }

  /** Adds a GET handler. */
  get(path: string, handler: Middleware<State>): this {
    return this.#add((table) => table.add(["GET"], path, path, handler));
  }

  /** Adds a handler for every method. */
  all(path: string, handler: Middleware<State>): this {
    return this.#add((table) => table.add(METHODS, path, path, handler));
  }

  /** Adds the build's file routes. */
  fsRoutes(): this {
    return this.#add((table, { routes }) => addFileRoutes(table, routes));
  }

  /** Returns the function that handles requests, for `Deno.serve` and for tests. */
  handler(): Handler {
    const { key, mode, islands, scripts, files } = this.#build;
    setBuildKey(key);
    const table = new RouteTable<State>();
    for (const add of this.#additions) add(table, this.#build);
    const assets = { key, mode, islands: islandsOf(islands), scripts, files: new Map(files) };
    return createHandler(table, assets);
  }

  #add(addition: (table: RouteTable<State>, build: Build<State>) => void): this {
    this.#additions.push(addition);
    return this;
  }
}
