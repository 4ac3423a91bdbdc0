import { define } from "../lib/state.ts";

export default define.page(({ state }) => {
  const { name } = state.services.config.organisations[state.surface.organisation];
  return (
    <section class="prose">
      <p class="eyebrow">Operations console</p>
      <h1>{name}</h1>
      <p class="lead">
        Administrators and board members will sign in here. The console does not open yet: nothing
        is shown and nothing is stored.
      </p>
    </section>
  );
});
