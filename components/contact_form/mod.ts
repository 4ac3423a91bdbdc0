/**
 * The contact module (spec 2.8, 3 and 4.6): one component for our own pages and for any other one.
 * Everything of it stands in a shadow root with a style sheet of its own, so that a page's styles do
 * not reach it, and it needs nothing that a strict Content-Security-Policy forbids.
 *
 * @module
 */
import { h, render } from "preact";
import { isWebAddress } from "./answers.ts";
import { App, type Handle } from "./App.tsx";
import { readFallback } from "./fallback.ts";
import { STYLES } from "./styles.ts";

export interface MountOptions {
  /** `modal`: shown over the page by `open`; `page`: shown in the place of the element. */
  mode: "modal" | "page";
  /** The full address of `POST /api/ir/register`. Everything else comes from its answer. */
  endpoint: string;
  /** The bot challenge; used where its script is on the page. */
  challenge?: { siteKey: string };
}

export interface ContactForm {
  /** Shows the form over the page; in page mode, puts the focus into it. */
  open(): void;
  /** Closes it, unless an enquiry is being sent or its sequence runs. */
  close(): void;
  /** Takes the module from the page: no timer, listener or request is left. */
  destroy(): void;
}

/**
 * Puts the contact form into an element of the page. What the element contained is taken out
 * until the end, and what was typed into its fields of the same names is taken over.
 *
 * @param target the element, or a selector for it; one that can have a shadow root, such as a `div`
 * @throws {TypeError} when there is no such element, or an option cannot be used
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
  const host = typeof target === "string" ? find(target) : target;
  if (host === null) throw problem(`nothing on the page matches ${JSON.stringify(target)}`);
  const { mode, endpoint, challenge } = options;
  if (mode !== "modal" && mode !== "page") throw problem(`mode should be "modal" or "page"`);
  if (!isWebAddress(endpoint)) throw problem("endpoint should be a full web address");

  const fallback = readFallback(host);
  const root = rootOf(host);
  const before = [...host.childNodes];
  host.replaceChildren(); // out of the page, or a browser would fill in its fields too
  const gone = new AbortController();
  const handle: Handle = { open() {}, close() {} };
  const { draft, openedAt } = fallback;
  render(
    h(App, {
      host,
      mode,
      endpoint,
      siteKey: challenge?.siteKey,
      begin: { draft, openedAt: openedAt ?? (mode === "page" ? performance.now() : null) },
      signal: gone.signal,
      handle,
    }),
    root,
  );
  fallback.focusIn(root);
  return {
    open: () => handle.open(),
    close: () => handle.close(),
    destroy() {
      if (gone.signal.aborted) return;
      gone.abort();
      handle.open = handle.close = () => {};
      render(null, root);
      // An element keeps its shadow root: what it contained is shown through it again.
      root.adoptedStyleSheets = [];
      root.append(document.createElement("slot"));
      host.append(...before);
    },
  };
}

function find(selector: string): HTMLElement | null {
  try {
    return document.querySelector<HTMLElement>(selector);
  } catch {
    return null; // what is no selector matches nothing
  }
}

function rootOf(host: HTMLElement): ShadowRoot {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  const root = host.shadowRoot ?? attach(host);
  // One that was destroyed left a slot alone; anything else is somebody's.
  const [only] = root.childNodes;
  if (root.childNodes.length > 1 || (only && only.nodeName !== "SLOT")) {
    throw problem("there is something mounted in this element already");
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
