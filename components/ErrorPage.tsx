import { Head } from "fresh/runtime";
import type { Problem } from "../lib/http/errors.ts";
import type { State } from "../lib/state.ts";
import type { NavItem } from "./navigation.ts";

const TITLES: Record<number, string> = {
  400: "Bad request",
  401: "Sign in first",
  403: "You do not have access",
  404: "Page not found",
  405: "Method not allowed",
  429: "Too many requests",
  503: "Temporarily unavailable",
  500: "Something went wrong",
};

export const errorTitle = ({ status }: Problem): string => TITLES[status] ?? "Something went wrong";

/** A page in the site's frame for an error. */
export function ErrorPage({ problem, state }: { problem: Problem; state: State }) {
  return (
    <>
      <Head>
        <title>{errorTitle(problem)}</title>
        <meta name="robots" content="noindex" />
      </Head>
      <ErrorText
        problem={problem}
        state={state}
        back={{ href: "/", text: "Go to the start page" }}
      />
    </>
  );
}

/** Shows the error, a way back and a contact. Codes are for programs and are not shown. */
export function ErrorText(
  { problem, state, back }: { problem: Problem; state: State; back: NavItem },
) {
  const { contactEmail } = state.services.config.organisations[state.surface.organisation];
  return (
    <section class="prose">
      <h1>{errorTitle(problem)}</h1>
      <p class="lead">{problem.message}</p>
      <p>
        <a href={back.href}>{back.text}</a>
      </p>
      <p>
        If you need help, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>.
      </p>
    </section>
  );
}
