/**
 * The contact module (spec 2.8, 3 and 4.6): one component for our own pages and for any other page.
 * It renders into a shadow root with its own style sheet, so the page's styles do not affect it,
 * and it works under a strict Content-Security-Policy.
 *
 * @module
 */
import { h, render } from "preact";
import FEED from "../../static/styles/feed.css" with { type: "text" };
import { CONFIG } from "../../lib/features/contact/config.ts";
import STYLES from "./styles.css" with { type: "text" };
import { App, type Handle } from "./App.tsx";
import { readFallback } from "./draft.ts";
import { loadPublished } from "./load_verifier.ts";
import type { LoadVerifier } from "./LogLine.tsx";
import { isWebAddress } from "./responses.ts";

export interface MountOptions {
  /** `modal`: `open` shows the form over the page; `page`: it replaces the element's content. */
  mode: "modal" | "page";
  /** The full URL of `POST /api/ir/register`. Its response contains all other URLs. */
  endpoint: string;
  /** The name of the organisation that the enquiry goes to, for the form's title. */
  organisation?: string;
  /** False if the page has a heading of its own. Default: true. */
  heading?: boolean;
  challenge?: { siteKey: string };
  /** The full URL of the page that says what is stored, for a link below the form. */
  privacy?: string;
  /** Loads the verifier for the line about the public log. Default: the published module, from the endpoint's host. */
  loadVerifier?: LoadVerifier;
}

export interface ContactForm {
  /** Shows the form over the page; in page mode, focuses it. */
  open(): void;
  /** Closes the form, unless an enquiry is being sent or its sequence is running. */
  close(): void;
  /** Removes the module from the page and stops all its timers, listeners and requests. */
  destroy(): void;
}

/**
 * Mounts the contact form in an element of the page. It replaces the element's content until
 * `destroy` is called, and keeps what has been typed into fields with the same names.
 *
 * @param target an element that can have a shadow root, such as a `div`, or its selector
 * @throws {TypeError} if there is no such element, an option is invalid, or the browser is too old. The element
 * keeps its content then
 *
 * @example
 * ```ts
 * const form = mount("#contact", {
 *   mode: "modal",
 *   endpoint: "https://api.example/api/ir/register",
 * });
 * button.addEventListener("click", form.open);
 * ```
 */
export function mount(target: string | HTMLElement, options: MountOptions): ContactForm {
  const missing = missingFeature();
  if (missing !== undefined) throw problem(`this browser is too old, it has no ${missing}`);
  const host = typeof target === "string" ? find(target) : target;
  if (host === null) throw problem(`nothing on the page matches ${JSON.stringify(target)}`);
  const { mode, endpoint, organisation, heading = true, challenge, privacy } = options;
  const { loadVerifier = loadPublished(endpoint) } = options;
  if (mode !== "modal" && mode !== "page") throw problem(`mode should be "modal" or "page"`);
  if (!isWebAddress(endpoint)) throw problem("endpoint should be a full web address");
  if (privacy !== undefined && !isWebAddress(privacy)) {
    throw problem("privacy should be a full web address");
  }

  const fallback = readFallback(host);
  const root = rootOf(host);
  const before = [...host.childNodes];
  host.replaceChildren(); // otherwise, autofill would also fill in its fields
  const destroyed = new AbortController();
  const handle: Handle = { open() {}, close() {} };
  const { draft, openedAt } = fallback;
  render(
    h(App, {
      host,
      mode,
      endpoint,
      organisation,
      heading,
      siteKey: challenge?.siteKey,
      privacy,
      loadVerifier,
      initial: { draft, openedAt: openedAt ?? (mode === "page" ? performance.now() : null) },
      signal: destroyed.signal,
      handle,
    }),
    root,
  );
  fallback.focusIn(root);
  return {
    open: () => handle.open(),
    close: () => handle.close(),
    destroy() {
      if (destroyed.signal.aborted) return;
      destroyed.abort();
      handle.open = handle.close = () => {};
      render(null, root);
      // A shadow root cannot be removed, so a slot displays the original content.
      root.adoptedStyleSheets = [];
      root.append(document.createElement("slot"));
      host.append(...before);
    },
  };
}

/** Returns what the form needs and this browser lacks, as before Chrome 103, Safari 16.4 and Firefox 101. */
function missingFeature(): string | undefined {
  const needed = {
    "shadow root": "attachShadow" in Element.prototype,
    "constructed style sheet": "replaceSync" in CSSStyleSheet.prototype &&
      "adoptedStyleSheets" in Document.prototype,
    "AbortSignal.timeout": "timeout" in AbortSignal,
  };
  return Object.entries(needed).find(([, exists]) => !exists)?.[0];
}

function find(selector: string): HTMLElement | null {
  try {
    return document.querySelector<HTMLElement>(selector);
  } catch {
    return null; // an invalid selector matches nothing
  }
}

function rootOf(host: HTMLElement): ShadowRoot {
  const sheet = new CSSStyleSheet();
  const { STANDBY_HOLD, FADE_TO_BLACK } = CONFIG;
  const durations = `.hold div { animation-duration: ${STANDBY_HOLD}ms; }
    .black { animation-duration: ${FADE_TO_BLACK}ms; }`;
  sheet.replaceSync(STYLES + FEED + durations);
  const root = host.shadowRoot ?? attach(host);
  // `destroy` leaves only a slot; any other content belongs to another component.
  const [only] = root.childNodes;
  if (root.childNodes.length > 1 || (only && only.nodeName !== "SLOT")) {
    throw problem("something is already mounted in this element");
  }
  only?.remove();
  root.adoptedStyleSheets = [sheet];
  return root;
}

function attach(host: HTMLElement): ShadowRoot {
  try {
    return host.attachShadow({ mode: "open" });
  } catch {
    throw problem(`a <${host.localName}> cannot contain it; use a <div>`);
  }
}

const problem = (text: string) => new TypeError(`ContactForm.mount: ${text}.`);
