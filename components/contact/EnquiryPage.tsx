import { asset, Head } from "fresh/runtime";
import { CONFIG } from "../../lib/contact/config.ts";
import { EnquiryForm, type EnquiryFormProps } from "./EnquiryForm.tsx";

const { COPY } = CONFIG;

/** Where the control of a field is, for the summary to lead to. */
const CONTROLS: Record<string, string> = {
  name: "name",
  organisation: "organisation",
  email: "email",
  mobile: "mobile_number",
  enquiry_type: "enquiry_type",
  message: "message",
};

/** Why the form comes back. */
export interface EnquiryProblem {
  title: string;
  text: string;
}

/** The form again, after a post that came to nothing: what was wrong, and all that was typed. */
export function EnquiryPage(
  { problem, form }: { problem: EnquiryProblem; form: EnquiryFormProps },
) {
  const issues = Object.entries(form.issues ?? {});
  return (
    <section class="prose">
      <Head>
        <title>{`${problem.title} · ${COPY.TITLE}`}</title>
        <meta name="robots" content="noindex" />
        <link rel="stylesheet" href={asset("/styles/contact.css")} />
      </Head>
      <p class="eyebrow">{COPY.EYEBROW}</p>
      <h1>{COPY.TITLE}</h1>
      <div class="enquiry-problem" role="alert" tabindex={-1} autofocus>
        <h2>{problem.title}</h2>
        {issues.length === 0 ? <p>{problem.text}</p> : (
          <ul>
            {issues.map(([field, text]) => (
              <li key={field}>
                {field in CONTROLS ? <a href={`#field-${CONTROLS[field]}`}>{text}</a> : text}
              </li>
            ))}
          </ul>
        )}
      </div>
      <EnquiryForm {...form} />
    </section>
  );
}
