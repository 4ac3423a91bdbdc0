import { Head } from "fresh/runtime";
import type { Problem } from "../lib/http/errors.ts";

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

export function ErrorPage({ problem }: { problem: Problem }) {
  const title = TITLES[problem.status] ?? "Something went wrong";
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
