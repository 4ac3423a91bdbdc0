import { page } from "fresh";
import { Head } from "fresh/runtime";
import { CONTACT_FIELDS, privacyLabelOf } from "../lib/contact/fields.ts";
import { define, pageHandler } from "../lib/state.ts";

const FIELD_NOUNS = CONTACT_FIELDS.map(privacyLabelOf).join(", ");

export const handler = pageHandler({
  GET(ctx) {
    ctx.state.scripts = false;
    return page();
  },
});

/** What is stored of people; to be true of `lib/auth`, `lib/contact`, `lib/mail` and the MCP rate limit. */
export default define.page<typeof handler>(({ state }) => {
  const { organisations, contact } = state.services.config;
  const { contactEmail } = organisations[state.surface.organisation];
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
        <dt>Mail to you</dt>
        <dd>
          The mail with your link, encrypted: until it is sent, for 15 minutes at most. If it cannot
          be sent, we keep the reason for as long, without the mail.
        </dd>
        <dt>Sessions</dt>
        <dd>
          For each browser that is signed in, your email address and number under a fingerprint of
          its cookie: for 30 days, or until you sign out.
        </dd>
        <dt>Limits</dt>
        <dd>
          How often links were requested: by a fingerprint of the email address, of the network
          address that the request came from, and of a browser that signed in before, for an hour.
        </dd>
      </dl>

      <h2>What is stored when you send an enquiry</h2>
      <dl class="facts even">
        <dt>Your record</dt>
        <dd>
          What you entered ({FIELD_NOUNS}), the organisation that you wrote to, a random salt, and
          when you sent it and confirmed the address. We keep it until you have it deleted.
        </dd>
        <dt>Its chain</dt>
        <dd>
          The record's hash and the events that happened to it, with their times and our signature.
          Anybody who has the hash can read it, for as long as we publish records. It names nobody:
          the hash is made with the salt, so that no guess at you can be tested against it.
        </dd>
        <dt>Confirmation link</dt>
        <dd>
          A fingerprint (SHA-256) of the link that we mail you, and the record that it is for: for
          37 days, of which the link works 7. The link itself is only in your mail.
        </dd>
        <dt>Mail to you and our team</dt>
        <dd>
          The mail with your link, and the mail with what you entered, encrypted: until they are
          sent, for 7 days at most. If one cannot be sent, we keep the reason for as long, without
          the mail.
        </dd>
        <dt>Sending twice</dt>
        <dd>
          A fingerprint of a random number that the form makes each time it is opened, and the
          record that it led to: for 24 hours, so that sending it again registers it once.
        </dd>
        <dt>Limits</dt>
        <dd>
          How many enquiries came from a network address: by its fingerprint, for an hour. How many
          confirmation links went to an email address: in memory alone, for an hour.
        </dd>
        {contact.challenge !== undefined && (
          <>
            <dt>Bot check</dt>
            <dd>
              A fingerprint of the answer that the check gave to your browser: for 10 minutes, so
              that it is used once.
            </dd>
          </>
        )}
      </dl>

      <h2>Who else sees it</h2>
      <p>
        Mails go through a mail provider, which learns their address and text: the link that signs
        you in, the link that confirms your address, and the mail in which our team gets your
        enquiry with all that you entered. Who answers it keeps that mail like any other.
      </p>
      {contact.challenge !== undefined && (
        <p>
          The contact form loads the script of a provider that tells people from robots,{" "}
          {new URL(contact.challenge.scriptUrl).host}. It learns your network address and what it
          finds out about your browser, and tells us whether you passed.
        </p>
      )}
      <p>
        Nobody else is given anything. There is no tracking and no advertising on these pages, and
        no {contact.challenge === undefined ? "" : "further "}script of another party.
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
          <code>app_device</code>
        </dt>
        <dd>
          A random number that marks a browser that signed in, so that others who request links for
          your address do not use up yours: for a year.
        </dd>
        <dt>
          <code>theme</code>
        </dt>
        <dd>Only if you switch between dark and light; holds that word for a year.</dd>
      </dl>

      <h2>Having it deleted</h2>
      <p>
        Write to {mail}{" "}
        from the address that it is about. We delete your account with everything that belongs to
        it, and of your enquiries all that you entered, the salt, the link, and the mail that our
        team got. The chain stays, as a hash and events of which nobody can tell any more whose they
        were. The same address answers questions.
      </p>
    </article>
  );
});
