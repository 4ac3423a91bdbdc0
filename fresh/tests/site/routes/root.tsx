import type { RouteConfig } from "fresh";
import Counter from "../islands/Counter.tsx";

// No wrapper and no layout: the island is the body's own child.
export const config: RouteConfig = { skipInheritedLayouts: true, skipAppWrapper: true };

export default () => <Counter id="root" start={1} />;
