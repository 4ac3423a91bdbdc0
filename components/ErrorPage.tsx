import { Head } from "fresh/runtime";
import type { Problem } from "../lib/http/errors.ts";

const TITLES: Record<number, string> = {
  400: "That request was not understood",
  401: "Sign in first",
  403: "Not open to you",
  404: "Nothing here",
  405: "Not that way",
  429: "Too many requests",
  503: "Busy for a moment",
  500: "Something went wrong",
};

/** What a person sees of an error: what happened, and the way on. */
export function ErrorPage({ problem }: { problem: Problem }) {
  const title = TITLES[problem.status] ?? "That did not work";
  return (
    <section class="prose">
      <Head>
        <title>{title}</title>
        <meta name="robots" content="noindex" />
      </Head>
      <p class="eyebrow">{problem.status}</p>
      <h1>{title}</h1>
      <p class="lead">{problem.message}</p>
      <p>
        <a href="/">Go to the start page</a>
      </p>
      <p class="error-code">{problem.code}</p>
    </section>
  );
}
