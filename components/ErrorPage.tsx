/** The error pages of all surfaces but the consoles: 404, 403, 500 and so on, and their parts. */
import type { ComponentChildren } from "preact";
import { asset, Head } from "fresh/runtime";
import type { Problem } from "../lib/platform/http/errors.ts";
import type { State } from "../lib/app/state.ts";
import { GUIDES } from "../lib/features/api/mod.ts";
import { nearestPath, type OrganisationKey, typedPaths } from "../lib/platform/surfaces/mod.ts";
import { plural } from "../lib/base/time.ts";
import { ErrorSearch } from "./ErrorSearch.tsx";
import { ErrorWays } from "./ErrorWays.tsx";
import { Logo } from "./Logo.tsx";

const TITLES: Record<number, string> = {
  400: "We could not read this request",
  401: "Sign in first",
  403: "You do not have access",
  404: "Page not found",
  405: "This address has no page",
  410: "This link no longer works",
  413: "Too large",
  429: "Too many requests",
  503: "Temporarily unavailable",
  500: "Something went wrong",
};

export function errorTitle({ status, issues }: Problem): string {
  if (issues?.token !== undefined) return "This link is incomplete";
  if (status === 404 && issues?.number !== undefined) return "No document has this number";
  return TITLES[status] ?? "Something went wrong";
}

export interface ErrorProps {
  problem: Problem;
  state: State;
  pathname: string;
  method: string;
}

/** A page in the site's frame for an error. It loads no scripts. */
export function ErrorPage(props: ErrorProps) {
  const { problem, state } = props;
  return (
    <>
      <Head>
        <title>{errorTitle(problem)}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/error.css")} />
      </Head>
      <ErrorText {...props} candidates={pagesOf(state)}>
        {problem.status === 404 && <ErrorSearch {...props} />}
        <ErrorWays state={state} />
      </ErrorText>
    </>
  );
}

/** Returns the pages that the surface may suggest, including sections of the standard and guides. */
function pagesOf({ surface, services }: State): string[] {
  const sections = surface.serves("/standard/records")
    ? services.standard.sections.map(({ id }) => `/standard/${id}`)
    : [];
  const guides = GUIDES.map(({ id }) => `/docs/${id}`).filter(surface.serves);
  return [...typedPaths(surface), ...sections, ...guides];
}

/** Shows the error, ways to continue and a contact. Codes are for programs and are not shown. */
export function ErrorText(
  { problem, state, pathname, method, candidates, children }: ErrorProps & {
    candidates: readonly string[];
    children: ComponentChildren;
  },
) {
  const { status, message, headers, details } = problem;
  const { contactEmail } = state.services.config.organisations[state.surface.organisation];
  const meant = status === 404 ? nearestPath(pathname, candidates) : null;
  const wait = Number(headers?.["retry-after"]);
  const isTemporary = [429, 500, 502, 503, 504].includes(status);
  return (
    <section class="error-page measure-wide">
      {status === 404 && <BrokenChain organisation={state.surface.organisation} />}
      <h1 class="below-3">{errorTitle(problem)}</h1>
      <p class="lead">{status === 404 ? lostText(problem) : message}</p>
      {meant !== null && (
        <p class="error-meant pad-3-4 rounded on-card text-large">
          Did you mean <a href={meant}>{meant}</a>?
        </p>
      )}
      {wait > 0 && <p>You can try again in {plural(wait, "second")}.</p>}
      {isTemporary && method === "GET" && (
        <p class="actions">
          <a class="button primary" href="">Try again</a>
        </p>
      )}
      {children}
      <p class="muted">
        If you need help, write to <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        {details?.request_id === undefined ? "." : (
          <>
            {" "}and quote this number: <code>{String(details.request_id)}</code>
          </>
        )}
      </p>
    </section>
  );
}

/** Returns what to look at if nothing was found. */
const lostText = ({ message, issues }: Problem): string =>
  issues?.number ?? `${message} The link may be old, or a character in it may be wrong.`;

/** The figure of a 404 page: a chain of the organisation's marks, in which one is missing. */
function BrokenChain({ organisation }: { organisation: OrganisationKey }) {
  return (
    <div class="error-figure middle below-6 screen-only" aria-hidden="true">
      <Logo organisation={organisation} />
      <span class="error-link" />
      <span class="error-gap round" />
      <span class="error-link" />
      <Logo organisation={organisation} />
    </div>
  );
}
