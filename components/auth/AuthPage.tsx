import type { Context } from "fresh";
import { asset, Head } from "fresh/runtime";
import { Backdrop } from "./Backdrop.tsx";
import { SignInForm, type SignInStart } from "./SignInForm.tsx";
import { formatClock } from "../../lib/base/time.ts";
import { type AskedRequest, landingOn } from "../../lib/features/auth/mod.ts";
import type { State } from "../../lib/app/state.ts";
import { type ThemeChoice, themeChoiceOf } from "../../lib/platform/http/theme.ts";
import { Logo } from "../Logo.tsx";
import { ConsolePasskeySignIn } from "../passkeys/ConsolePasskeySignIn.tsx";
import { ThemeToggle } from "../ThemeToggle.tsx";

export interface AuthView extends SignInStart {
  /** True if an invalid link was just opened. */
  expired?: boolean;
  /** The request of this browser for which no mail was sent yet, or in time. */
  asked?: AskedRequest | null;
}

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
  { state, view: { expired = false, asked = null, ...start }, still, theme }: {
    state: State;
    view: AuthView;
    still: boolean;
    theme: ThemeChoice;
  },
) {
  const { surface } = state;
  const { product: name, headline, lead, operatorsOnly } = surface.signIn!; // the route exists only on surfaces with sign-in
  const title = expired ? "That link has expired" : "Sign in";
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
        <SignInForm
          start={start}
          headline={headline}
          lead={lead}
          note={expired ? EXPIRED : asked === null ? null : noteOf(asked)}
          restricted={operatorsOnly}
        />
        {operatorsOnly && <ConsolePasskeySignIn next={landingOn(surface, start.next)} />}
        <Agreement state={state} />
      </main>
    </div>
  );
}

const EXPIRED =
  "That link has expired or has already been used. Enter your email address to get a new one.";

/** Says what became of a request whose mail was not prepared. It is the same for every address. */
const noteOf = ({ at, state }: AskedRequest): string => {
  const asked = `You asked for a link at ${formatClock(at)}.`;
  return state === "waits"
    ? `${asked} The mail is late, because this site had a problem. It comes by itself, so you need not ask again.`
    : `${asked} No mail was sent, because this site had a problem. Enter your email address to get a link now.`;
};

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
