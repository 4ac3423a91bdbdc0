import { useEffect, useRef } from "preact/hooks";

/** What a bot challenge's script offers, as Turnstile does. */
interface ChallengeApi {
  render(
    element: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      callback: (token: string) => void;
      "expired-callback": () => void;
      "error-callback": () => void;
    },
  ): string;
  reset(id: string): void;
  remove(id: string): void;
}

export interface Challenge {
  /** Whether there is a challenge to pass: one is asked for, and its script is on the page. */
  isShown(): boolean;
  /** What proves that it was passed, once. */
  token(): string | undefined;
  /** Asks anew: a token is good for one attempt. */
  reset(): void;
  focus(): void;
}

/** How often, and how many times, the script is looked for: it may come after the form. */
const LOOK_AGAIN = 250;
const LOOKS = 240;

/**
 * Shows the challenge of the script that the page has loaded, if it has. Such scripts do not look
 * into shadow roots, so the widget stands in the host element's own children and is shown through
 * the slot `challenge`.
 *
 * @param active whether the form is shown: nothing happens before
 */
export function useChallenge(
  host: HTMLElement,
  siteKey: string | undefined,
  active: boolean,
): Challenge {
  const token = useRef<string>();
  const widget = useRef<{ api: ChallengeApi; id: string; box: HTMLElement }>();

  useEffect(() => {
    if (siteKey === undefined || !active || widget.current !== undefined) return;
    let looks = 0;
    const show = () => {
      const api = (globalThis as { turnstile?: ChallengeApi }).turnstile;
      if (api !== undefined || ++looks === LOOKS) clearInterval(timer);
      if (api === undefined) return;
      const box = document.createElement("div");
      box.slot = "challenge";
      host.append(box);
      const forget = () => token.current = undefined;
      const id = api.render(box, {
        sitekey: siteKey,
        action: "contact",
        callback: (passed) => token.current = passed,
        "expired-callback": forget,
        "error-callback": forget,
      });
      widget.current = { api, id, box };
    };
    const timer = setInterval(show, LOOK_AGAIN);
    show();
    return () => clearInterval(timer);
  }, [siteKey, active]);

  useEffect(() => () => {
    widget.current?.api.remove(widget.current.id);
    widget.current?.box.remove();
  }, []);

  return {
    isShown: () => widget.current !== undefined,
    token: () => token.current,
    reset() {
      token.current = undefined;
      widget.current?.api.reset(widget.current.id);
    },
    focus() {
      widget.current?.box.querySelector<HTMLElement>("iframe, input, button, [tabindex]")?.focus();
    },
  };
}
