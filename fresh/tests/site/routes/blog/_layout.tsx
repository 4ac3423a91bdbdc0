import { define } from "../../define.ts";

export default define.layout(({ Component }) => (
  <article>
    <Component />
  </article>
));
