/** The page `/auth`, where people sign up or sign in with a link that is mailed to them. */
import type { Context } from "fresh";
import { asset, Head } from "fresh/runtime";
import { Backdrop } from "./Backdrop.tsx";
import { SignInForm, type SignInStart } from "./SignInForm.tsx";
import { landingOn } from "../../lib/features/auth/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { type ThemeChoice, themeChoiceOf } from "../../lib/platform/http/theme.ts";
import { Logo } from "../Logo.tsx";
import { ConsolePasskeySignIn } from "../passkeys/ConsolePasskeySignIn.tsx";
import { ThemeToggle } from "../ThemeToggle.tsx";

/** Why a link that was just opened did not sign in. */
interface LinkProblems {
  expired?: boolean;
  /** True if it began a session from this network, whose cookie the browser has not sent. */
  cookieLost?: boolean;
  /** The note about a request of this browser for which no mail was sent yet, or in time. */
  asked?: string;
}

export type AuthView =
  | SignInStart & LinkProblems
  /** An invalid link was opened in a browser that is signed in. */
  | { phase: "signed-in"; email: string; landing: string };

/**
 * Responds with the sign-in page. With `Save-Data`, its background is an image instead of a video.
 */
export async function renderAuthPage(
  ctx: Context<State>,
  view: AuthView,
  init?: { status: number; headers?: Record<string, string> },
): Promise<Response> {
  ctx.state.bare = true;
  const still = ctx.req.headers.get("save-data") === "on";
  const theme = themeChoiceOf(ctx.req);
  const page = <AuthPage state={ctx.state} view={view} still={still} theme={theme} />;
  const response = await ctx.render(page, init);
  response.headers.append("vary", "Save-Data");
  return response;
}

/** The page for signing up and signing in (spec 4.3): a card in front of a full-window video. */
function AuthPage(
  { state, view, still, theme }: {
    state: State;
    view: AuthView;
    still: boolean;
    theme: ThemeChoice;
  },
) {
  const { surface } = state;
  const name = surface.signIn!.product; // the route exists only on surfaces with sign-in
  const title = view.phase === "signed-in"
    ? SIGNED_IN
    : view.expired
    ? "That link has expired"
    : "Sign in";
  return (
    <div class="auth stack relative">
      <Head>
        <title>{`${title} · ${name}`}</title>
        <meta name="robots" content="noindex" />
        <link key="styles" rel="stylesheet" href={asset("/styles/pages/sign_in.css")} />
      </Head>
      <div class="backdrop full-width" aria-hidden="true">
        <img class="full-width" src={asset("/video/backdrop.webp")} alt="" />
      </div>
      {!still && (
        <Backdrop webm={asset("/video/backdrop.webm")} mp4={asset("/video/backdrop.mp4")} />
      )}
      <header class="theme-slot">
        <ThemeToggle {...theme} />
      </header>
      <main id="main" class="auth-card full-width framed" tabindex={-1}>
        <a class="wordmark below-5" href="/">
          <Logo organisation={surface.organisation} />
          <span>{name}</span>
        </a>
        {view.phase === "signed-in" ? <SignedIn {...view} /> : <SignIn state={state} view={view} />}
      </main>
    </div>
  );
}

const SIGNED_IN = "You are signed in";

const SignedIn = ({ email, landing }: { email: string; landing: string }) => (
  <>
    <h1 class="below-3">{SIGNED_IN}</h1>
    <p>
      This browser is signed in as{" "}
      <strong class="address anywhere">{email}</strong>. The link has expired or has already been
      used, and you do not need another one.
    </p>
    <a class="button primary wide large" href={landing}>Continue</a>
  </>
);

function SignIn(
  { state, view: { expired, cookieLost, asked, ...start } }: {
    state: State;
    view: SignInStart & LinkProblems;
  },
) {
  const { surface, services: { config } } = state;
  const { headline, lead, operatorsOnly } = surface.signIn!;
  const problems = [
    ...expired ? [EXPIRED] : [],
    ...cookieLost ? [LOST, config.env === "development" ? IN_DEVELOPMENT : ALLOW] : [],
  ];
  return (
    <>
      <SignInForm
        start={start}
        headline={headline}
        lead={lead}
        note={problems.length > 0 ? [...problems, ANOTHER].join(" ") : asked}
        restricted={operatorsOnly}
      />
      {operatorsOnly && <ConsolePasskeySignIn next={landingOn(surface, start.next)} />}
      <Agreement state={state} />
    </>
  );
}

const EXPIRED = "That link has expired or has already been used.";
const LOST =
  "A sign-in link was just used from your network, but this browser has no session. If you used it, " +
  "your browser did not keep the cookie that signs you in.";
const ALLOW = "Allow cookies for this site, or use another browser.";
const IN_DEVELOPMENT =
  "Safari keeps no secure cookies from sites without HTTPS: use Chrome, Edge or Firefox for " +
  "development. In these, allow cookies for this site.";
const ANOTHER = "Enter your email address to get a new link.";

/** Links to the terms on the trust surface, or plain text if this deployment does not serve it. */
function Agreement({ state: { services: { surfaces } } }: { state: State }) {
  const link = (path: string, text: string) => {
    const href = surfaces.url("trust", path);
    return href === null ? text : <a href={href}>{text}</a>;
  };
  return (
    <p class="agreement pad-top-4 lined text-small">
      By continuing you agree to the {link("/terms", "Terms")} and{" "}
      {link("/privacy", "Privacy Policy")}.
    </p>
  );
}
