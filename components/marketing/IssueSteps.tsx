interface Step {
  title: string;
  text: string;
  /** The person or system that takes the step. */
  by: string;
}

const STEPS: readonly Step[] = [
  {
    title: "The organisation is approved",
    text:
      "An administrator adds it to our issuers. Its documents then name it as their issuer and us " +
      "as the registrar: it answers for the content, and we for the registration.",
    by: "The organisation and us",
  },
  {
    title: "The document is registered",
    text:
      "An administrator adds the file to the holder's record, with its title and version. Its " +
      "SHA-256 is registered.",
    by: "An administrator",
  },
  {
    title: "Every page gets a code",
    text:
      "The issued copy of a PDF has a QR code on each page and a last page with the hash. Both " +
      "files are registered, so either can be checked.",
    by: "The system",
  },
  {
    title: "The holder decides who reads it",
    text:
      "It appears in the holder's record. The holder prints it, shares it or answers requests, " +
      "and sees everyone who opened it.",
    by: "The holder",
  },
  {
    title: "A stranger checks it",
    text:
      "The code says who issued it, when, and whether it is current. The file, checked in the " +
      "browser, matches or does not.",
    by: "Anyone, without an account",
  },
];

/** The steps from an organisation's approval to a stranger's check. */
export function IssueSteps(
  { contact, trust }: { contact: string | null; trust: string | null },
) {
  return (
    <section class="stretch" id="issue" aria-labelledby="issue-title">
      <header class="stretch-head">
        <h2 id="issue-title">How a certificate is issued</h2>
        <p class="lead flush">
          The holder needs a record, which begins with a form and a confirmed address. The rest
          happens in this order.
        </p>
      </header>
      <ol class="issue-steps">
        {STEPS.map(({ title, text, by }) => (
          <li class="stack gap-4 top lined" key={title}>
            <div>
              <h3 class="below-1">{title}</h3>
              <p class="flush muted">{text}</p>
            </div>
            <p class="flush muted text-small">{by}</p>
          </li>
        ))}
      </ol>
      <p class="more flex wraps gap-2-5">
        {contact !== null && <a href={contact}>Ask us to approve your organisation</a>}
        {trust !== null && <a href={`${trust}/check`}>Check a document</a>}
        {trust !== null && <a href={`${trust}/levels`}>What a record's level means</a>}
      </p>
    </section>
  );
}
