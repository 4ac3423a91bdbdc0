import { Head } from "fresh/runtime";
import { define } from "../lib/state.ts";

/** What "My record →" leads to until records can be verified here (spec 5.5). */
export default define.page(({ state }) => {
  const { surfaces, config } = state.services;
  const { contactEmail } = config.organisations[state.surface.organisation];
  const standard = surfaces.url("foundation", "/standard");
  const privacy = surfaces.url("trust", "/privacy");
  return (
    <section class="prose">
      <Head>
        <title>My record</title>
        <meta name="robots" content="noindex" />
        <link
          key="canonical"
          rel="canonical"
          href={surfaces.url("trust", "/my-record") ?? `${state.surface.baseUrl}/my-record`}
        />
      </Head>
      <p class="eyebrow">My record</p>
      <h1>Verification is coming soon</h1>
      <p class="lead">
        Registered records are safe. There is nothing that you have to do.
      </p>
      <p>
        Soon you will open your record here and check it yourself, without a password. How a record
        is kept so that anyone can check it is public already{standard === null ? "." : (
          <>
            : <a href={standard}>read the standard</a>.
          </>
        )}
      </p>
      <p>
        Questions about a record? Write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        {privacy === null ? "." : (
          <>
            , or see <a href={privacy}>what is stored</a>.
          </>
        )}
      </p>
    </section>
  );
});
