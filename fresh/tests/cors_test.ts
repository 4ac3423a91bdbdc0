import { App, cors, type CORSOptions } from "fresh";
import { assertEquals } from "@std/assert";
import { clientOf } from "./client.ts";

const ONE = "https://one.example";
const TWO = "https://two.example";

/** The answer's status and its headers of cross-origin requests. */
async function answer(options: CORSOptions | undefined, init: RequestInit) {
  const app = new App().use(cors(options)).all(
    "/",
    (ctx) => ctx.text("", { headers: { vary: "Accept" } }),
  );
  const { status, headers } = await clientOf(app)("/", init);
  const found = [...headers].filter(([name]) =>
    name === "vary" || name.startsWith("access-control-")
  ).map(([name, value]) => [name.replace("access-control-", ""), value]);
  return { status, ...Object.fromEntries(found) };
}

const get = (origin: string) => ({ headers: { origin } });
const preflight = (origin: string) => ({
  method: "OPTIONS",
  headers: {
    origin,
    "access-control-request-method": "PUT",
    "access-control-request-headers": "x-one, x-two",
  },
});
const METHODS = "GET,HEAD,PUT,POST,DELETE,PATCH";

const TABLE: [name: string, CORSOptions | undefined, RequestInit, Record<string, unknown>][] = [
  ["anyone by default", undefined, get(ONE), { "allow-origin": "*", vary: "Accept" }],
  ["one origin", { origin: ONE }, get(ONE), { "allow-origin": ONE, vary: "Accept, Origin" }],
  ["another origin", { origin: ONE }, get(TWO), { vary: "Accept, Origin" }],
  [
    "one of several",
    { origin: [ONE, TWO] },
    get(TWO),
    { "allow-origin": TWO, vary: "Accept, Origin" },
  ],
  ["none of several", { origin: [ONE] }, get(TWO), { vary: "Accept, Origin" }],
  [
    "a function's answer",
    { origin: (origin) => origin.endsWith(".example") ? origin : null },
    get(TWO),
    { "allow-origin": TWO, vary: "Accept, Origin" },
  ],
  ["a function's refusal", { origin: () => undefined }, get(TWO), { vary: "Accept, Origin" }],
  [
    "credentials and exposed headers",
    { origin: ONE, credentials: true, exposeHeaders: ["x-a", "x-b"] },
    get(ONE),
    {
      "allow-origin": ONE,
      "allow-credentials": "true",
      "expose-headers": "x-a,x-b",
      vary: "Accept, Origin",
    },
  ],
  ["a preflight", undefined, preflight(ONE), {
    status: 204,
    "allow-origin": "*",
    "allow-methods": METHODS,
    "allow-headers": "x-one, x-two",
    vary: "Access-Control-Request-Headers",
  }],
  [
    "a preflight with everything chosen",
    {
      origin: ONE,
      allowMethods: ["PUT"],
      allowHeaders: ["x-mine"],
      maxAge: 60,
      credentials: true,
    },
    preflight(ONE),
    {
      status: 204,
      "allow-origin": ONE,
      "allow-methods": "PUT",
      "allow-headers": "x-mine",
      "max-age": "60",
      "allow-credentials": "true",
      vary: "Origin",
    },
  ],
];

for (const [name, options, init, expected] of TABLE) {
  Deno.test(`cors(): ${name}`, async () => {
    assertEquals(await answer(options, init), { status: 200, ...expected });
  });
}

Deno.test("cors() sets its headers where an answer's own cannot be changed", async () => {
  const app = new App().use(cors()).get("/", () => Response.redirect("http://localhost/x"));
  const response = await clientOf(app)("/");
  assertEquals(
    [response.status, response.headers.get("access-control-allow-origin")],
    [302, "*"],
  );
});
