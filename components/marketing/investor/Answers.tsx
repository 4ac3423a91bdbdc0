import type { State } from "../../../lib/app/state.ts";

/** Names the person who answers, and when. Promises only what the operator has configured. */
export function Answers({ state }: { state: State }) {
  const { config } = state.services;
  const { name, contactEmail } = config.organisations.commercial;
  const { investors: { role, replyTime } } = config.contact;
  return (
    <section class="investor-part" id="answers" aria-labelledby="answers-title">
      <h2 id="answers-title">What happens with your enquiry</h2>
      <ol class="investor-steps stack gap-5-6 one-column-960">
        <li class="pad-top-4">
          <h3>At once: your record</h3>
          <p>The form shows it, and we email you a link to confirm your address.</p>
        </li>
        <li class="pad-top-4">
          <h3>Then: {role === undefined ? `the team of ${name}` : role}</h3>
          <p>
            Only administrators can open your enquiry, in our console. They answer you by email.
          </p>
        </li>
        <li class="pad-top-4">
          <h3>
            {replyTime === undefined ? "Our reply: by email" : `Our reply: within ${replyTime}`}
          </h3>
          <p>
            You can also write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
          </p>
        </li>
      </ol>
    </section>
  );
}
