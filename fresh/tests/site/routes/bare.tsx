import type { RouteConfig } from "fresh";

export const config: RouteConfig = { skipInheritedLayouts: true, skipAppWrapper: true };

export default () => <h1>Bare</h1>;
