import { Head } from "fresh/runtime";
import { define, pageHandler } from "../lib/state.ts";

export const handler = pageHandler();

/** The placeholder behind "My record →" (spec 5.5). */
export default define.page<typeof handler>(({ state }) => {
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
        Registered records are safe. You do not need to do anything.
      </p>
      <p>
        Soon you will be able to open and verify your record here, without a password.
        {standard !== null && (
          <>
            {" "}How anyone can verify a record is already public:{" "}
            <a href={standard}>read the standard</a>.
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
