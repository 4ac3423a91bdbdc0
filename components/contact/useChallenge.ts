/** The hook for the bot challenge (such as Turnstile) of the contact form. */
import { useEffect, useRef } from "preact/hooks";

/** The API of a bot challenge's script, like Turnstile's. */
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
  /** Returns whether the widget is shown, that is, configured and its script loaded. */
  isShown(): boolean;
  /** Returns the response token, which proves once that the challenge was passed. */
  token(): string | undefined;
  /** Shows the challenge again, because a token is valid for only one attempt. */
  reset(): void;
  focus(): void;
}

/** The script may load after the form, so check for it repeatedly, for a minute. */
const RETRY_INTERVAL_MS = 250;
const MAX_TRIES = 240;

/**
 * Shows the bot challenge if the page has loaded its script. Such scripts cannot find elements in
 * shadow roots, so the widget is a child of the host element and is shown through the slot
 * `challenge`.
 *
 * @param active whether the form is shown; nothing is loaded until then
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
    let tries = 0;
    const show = () => {
      const api = (globalThis as { turnstile?: ChallengeApi }).turnstile;
      if (api !== undefined || ++tries === MAX_TRIES) clearInterval(timer);
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
    const timer = setInterval(show, RETRY_INTERVAL_MS);
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
