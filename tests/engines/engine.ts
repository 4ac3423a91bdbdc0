/** A window of a browser, with the few actions that the flows need. All browsers behave alike. */
export interface EnginePage {
  goto(url: string): Promise<void>;
  /** Calls a function in the page. It must not use anything of its scope. */
  evaluate<Args extends unknown[], Result>(
    call: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>>;
  /** Clicks an element. ` >> ` in a selector enters a shadow root. */
  click(selector: string): Promise<void>;
  type(selector: string, text: string): Promise<void>;
  /** Presses keys at once, such as `Control` and `k`, and releases them. */
  press(...keys: string[]): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  screenshot(): Promise<Uint8Array>;
}

/** A running browser. */
export interface OpenEngine extends AsyncDisposable {
  page: EnginePage;
}

/** A browser that may be installed. */
export interface Engine {
  name: string;
  /** True if it keeps `Secure` cookies of `http://*.localhost`, as only some browsers do. */
  trustsLocalhost: boolean;
  /** Returns how to install what is missing, or null. */
  missing(): Promise<string | null>;
  open(): Promise<OpenEngine>;
}

/** Finds an element in the page and brings it into view, for {@linkcode EnginePage.click}. */
export function find(selector: string): Element | null {
  let root: Document | ShadowRoot | null = document;
  let element: Element | null = null;
  for (const part of selector.split(" >> ")) {
    element = root?.querySelector(part) ?? null;
    root = element?.shadowRoot ?? null;
  }
  element?.scrollIntoView({ block: "center", behavior: "instant" });
  return element;
}

const LIMIT_MS = 20_000;

/**
 * Repeats something until it returns what it should.
 *
 * @param limitMs default: 20 seconds
 * @throws {Error} (rejects) with its last result
 */
export async function becomes<Result>(
  what: string,
  read: () => Promise<Result>,
  isRight: (result: Result) => boolean = Boolean,
  limitMs: number = LIMIT_MS,
): Promise<Result> {
  const end = Date.now() + limitMs;
  while (true) {
    // While a page is being replaced, there is nothing to read.
    const result = await read().catch((error: Error) => error);
    if (!(result instanceof Error) && isRight(result)) return result;
    if (Date.now() > end) throw new Error(`${what}: ${result}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits for an element, and returns its text. */
export const appears = (page: EnginePage, selector: string): Promise<string> =>
  becomes(
    selector,
    () =>
      page.evaluate((selector) => {
        let root: Document | ShadowRoot | null = document;
        let element: HTMLElement | null = null;
        for (const part of selector.split(" >> ")) {
          element = root?.querySelector<HTMLElement>(part) ?? null;
          root = element?.shadowRoot ?? null;
        }
        const shown = element !== null && element.getClientRects().length > 0;
        return shown ? element!.innerText || element!.tagName : "";
      }, selector),
  );

/** Waits until the page shows a text. */
export const shows = (page: EnginePage, text: string): Promise<boolean> =>
  becomes(`"${text}"`, () => page.evaluate((text) => document.body.innerText.includes(text), text));

export const isFile = (path: string): Promise<boolean> =>
  Deno.stat(path).then(({ isFile }) => isFile, () => false);
