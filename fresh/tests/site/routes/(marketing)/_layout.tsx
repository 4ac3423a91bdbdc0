import type { LayoutConfig } from "fresh";
import { define } from "../../define.ts";

export const config: LayoutConfig = { skipInheritedLayouts: true };

export default define.layout(({ Component }) => (
  <section>
    <Component />
  </section>
));
