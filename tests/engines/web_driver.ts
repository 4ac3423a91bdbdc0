/** A small client of the WebDriver protocol, with which tests control WebKit. */
import { decodeBase64 } from "../../lib/base/encoding.ts";

/** The key of an element's reference (WebDriver, section 12.1). */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** The codes of keys that are not characters (WebDriver, section 17.4.2). */
const KEYS: Record<string, string> = {
  Control: "\ue009",
  Escape: "\ue00c",
  Enter: "\ue007",
  Tab: "\ue004",
};

export type ElementReference = { readonly [ELEMENT]: string };

/** A session with a browser, by the WebDriver protocol (https://www.w3.org/TR/webdriver2/). */
interface WebDriver {
  goto(url: string): Promise<void>;
  /** Runs a script's body, with `arguments`, and returns its result. */
  execute(script: string, args: readonly unknown[]): Promise<unknown>;
  click(element: ElementReference): Promise<void>;
  type(element: ElementReference, text: string): Promise<void>;
  /** Presses keys at once, and releases them. */
  press(keys: readonly string[]): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  screenshot(): Promise<Uint8Array>;
  quit(): Promise<void>;
}

/**
 * Opens a session.
 *
 * @param base the driver's address
 * @throws {Error} (rejects) with the driver's message if it reports an error
 */
export async function openWebDriver(base: string, capabilities: object): Promise<WebDriver> {
  const { sessionId } = await send(`${base}/session`, "POST", {
    capabilities: { alwaysMatch: capabilities },
  }) as { sessionId: string };
  const command = (path: string, body: object = {}) =>
    send(`${base}/session/${sessionId}/${path}`, "POST", body);
  return {
    async goto(url) {
      await command("url", { url });
    },
    execute: (script, args) => command("execute/sync", { script, args }),
    async click({ [ELEMENT]: id }) {
      await command(`element/${id}/click`);
    },
    async type({ [ELEMENT]: id }, text) {
      await command(`element/${id}/value`, { text });
    },
    async press(keys) {
      const values = keys.map((key) => KEYS[key] ?? key);
      const actions = [
        ...values.map((value) => ({ type: "keyDown", value })),
        ...values.toReversed().map((value) => ({ type: "keyUp", value })),
      ];
      await command("actions", { actions: [{ type: "key", id: "keyboard", actions }] });
    },
    async resize(width, height) {
      await command("window/rect", { width, height });
    },
    async screenshot() {
      const image = await send(`${base}/session/${sessionId}/screenshot`, "GET");
      return decodeBase64(image as string)!;
    },
    async quit() {
      await send(`${base}/session/${sessionId}`, "DELETE");
    },
  };
}

async function send(url: string, method: string, body?: object): Promise<unknown> {
  const response = await fetch(url, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
