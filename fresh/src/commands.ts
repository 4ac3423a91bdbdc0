import type {
  LayoutConfig,
  MaybeLazy,
  MaybeLazyMiddleware,
  Method,
  Route,
  RouteComponent,
  RouteConfig,
} from "./types.ts";

/** What was asked of an app, in order; applied when its handler is made. */
export type Command<State> =
  | { type: "middleware"; path: string; fns: MaybeLazyMiddleware<State>[] }
  | {
    type: "layout";
    path: string;
    component: RouteComponent<State>;
    config: LayoutConfig;
  }
  | { type: "app"; component: RouteComponent<State> }
  | { type: "error"; path: string; route: Route<State> }
  | { type: "notFound"; route: Route<State> }
  | {
    type: "handler";
    path: string;
    methods: readonly Method[];
    fns: MaybeLazyMiddleware<State>[];
  }
  | {
    type: "route";
    path: string;
    /** The tree's place whose middlewares and layouts hold. */
    scope: string;
    route: MaybeLazy<Route<State>>;
    config: RouteConfig | undefined;
  }
  | { type: "fsRoutes"; path: string };
