import { page } from "fresh";
import { Head } from "fresh/runtime";
import { define } from "../lib/state.ts";

export const handler = define.handlers({
  GET(ctx) {
    ctx.state.scripts = false;
    return page();
  },
});

/** What is stored of people; to be true of `lib/auth`, `lib/mail` and the MCP rate limit. */
export default define.page<typeof handler>(({ state }) => {
  const { contactEmail } = state.services.config.organisations[state.surface.organisation];
  const mail = <a href={`mailto:${contactEmail}`}>{contactEmail}</a>;
  return (
    <article class="prose">
      <Head>
        <title>Privacy</title>
        <meta name="description" content="What these sites store of you, and for how long." />
      </Head>
      <h1>Privacy</h1>
      <p class="lead">
        What these sites keep of you: as little as they can. Reading and searching needs no account,
        and what you search for is not stored.
      </p>

      <h2>What is stored when you sign in</h2>
      <dl class="facts even">
        <dt>Your account</dt>
        <dd>
          Your email address, a number, when the account was made and when you last signed in. It is
          made when a sign-in link is first asked for. We keep it until you have it deleted.
        </dd>
        <dt>Sign-in links</dt>
        <dd>
          A fingerprint (SHA-256) of each link, the account that it is for, and where on the site it
          leads: for 15 minutes. The link itself is only in your mail, and works once.
        </dd>
        <dt>Sessions</dt>
        <dd>
          For each browser that is signed in, your email address and number under a fingerprint of
          its cookie: for 30 days, or until you sign out.
        </dd>
        <dt>Limits</dt>
        <dd>
          How often links were asked for: by a fingerprint of the email address and one of the
          network address that the request came from, for an hour.
        </dd>
      </dl>

      <h2>Who else sees it</h2>
      <p>
        The mail with your link goes through a mail provider, which learns your address and the
        mail's text. Nobody else is given anything. There is no tracking, no advertising and no
        other party's script on these pages.
      </p>

      <h2>Calls to an MCP server</h2>
      <p>
        The network address is held in memory for a minute, to count requests, and then forgotten.
      </p>

      <h2>Cookies</h2>
      <dl class="facts even">
        <dt>
          <code>app_session</code>
        </dt>
        <dd>Keeps you signed in: for 30 days, or until you sign out.</dd>
        <dt>
          <code>theme</code>
        </dt>
        <dd>Only if you switch between dark and light; holds that word for a year.</dd>
      </dl>

      <h2>Having it deleted</h2>
      <p>
        Write to {mail}{" "}
        from the address of your account. We delete the account with everything that belongs to it.
        The same address answers questions.
      </p>
    </article>
  );
});
