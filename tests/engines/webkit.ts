/** WebKit for tests in several browser engines, as the nearest to Safari on Linux. */
import { freePort } from "../site.ts";
import { becomes, type Engine, find, isFile, type OpenEngine } from "./engine.ts";
import { type ElementReference, openWebDriver } from "./web_driver.ts";

const PROGRAMS = ["/usr/bin/WebKitWebDriver", "/usr/bin/Xvfb"];
const INSTALL = "apt-get install webkit2gtk-driver xvfb";

/** WebKitGTK, whose engine is that of Safari. */
export const webkit: Engine = {
  name: "WebKitGTK",
  trustsLocalhost: false,
  async missing() {
    const found = await Promise.all(PROGRAMS.map(isFile));
    return found.every(Boolean) ? null : INSTALL;
  },
  open,
};

async function open(): Promise<OpenEngine> {
  const display = `:${freePort() % 900 + 100}`;
  const screen = start("Xvfb", [display, "-screen", "0", "1300x1000x24", "-nolisten", "tcp"]);
  const port = freePort();
  const driver = start("WebKitWebDriver", [`--port=${port}`], { DISPLAY: display });
  const stop = async () => {
    for (const each of [driver, screen]) {
      each.kill();
      await each.status;
    }
  };
  try {
    // Until the driver listens, the connection fails.
    const session = await becomes(
      "a session",
      () => openWebDriver(`http://127.0.0.1:${port}`, { acceptInsecureCerts: true }),
    );
    const elementOf = (selector: string) =>
      session.execute(`return (${find})(...arguments)`, [selector]) as Promise<ElementReference>;
    await session.resize(1280, 900);
    return {
      page: {
        goto: session.goto,
        evaluate: (call, ...args) =>
          session.execute(`return (${call})(...arguments)`, args) as Promise<never>,
        click: async (selector) => await session.click(await elementOf(selector)),
        type: async (selector, text) => await session.type(await elementOf(selector), text),
        press: (...keys) => session.press(keys),
        resize: session.resize,
        screenshot: session.screenshot,
      },
      async [Symbol.asyncDispose]() {
        await session.quit();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const start = (program: string, args: string[], env: Record<string, string> = {}) =>
  new Deno.Command(program, { args, env, stdin: "null", stdout: "null", stderr: "null" }).spawn();
