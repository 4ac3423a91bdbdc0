import { define } from "../define.ts";

export default define.layout(({ Component, state }) => (
  <main data-trail={state.trail?.join(" ")}>
    <Component />
  </main>
));
