import { assertEquals } from "@std/assert";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import type { ApiKeyRow } from "../lib/features/issuers/mod.ts";
import { revocationPath } from "../lib/features/issuers/revocation_link.ts";
import type { Surface, SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { type Sandboxes, startSandboxes } from "../sandbox/mod.ts";
import { type AccessFixture, accessFixture, STRANGER } from "./access_site.ts";
import { PERSON } from "./contact_site.ts";
import { fillSite, lookAt, offerTo } from "./filled_site.ts";
import { stopLinkOf } from "./key_site.ts";
import { NOWHERE } from "./webhook_scenarios.ts";
import { wordFaults } from "./words.ts";

/** Resolves the configuration once instead of for each page, which takes tens of milliseconds. */
class Loader extends StaticConfigLoader {
  #resolved: ReturnType<StaticConfigLoader["getConfigFor"]> | undefined;
  override getConfigFor(handle: string): ReturnType<StaticConfigLoader["getConfigFor"]> {
    return this.#resolved ??= super.getConfigFor(handle);
  }
}

// deno-fmt-ignore: one rule per line
const validator = new HtmlValidate(new Loader({
  extends: ["html-validate:recommended"],
  rules: {
    // These rules advise against valid HTML.
    "void-style": "off", // Preact closes void elements with a slash.
    "no-implicit-input-type": "off", // The default is text.
    "no-redundant-role": "off", // Tables have roles, because styles that change `display` remove them.
    "prefer-native-element": "off", // A group in a page need not be a landmark.
    "long-title": "off", // Titles name the page and the site.
    "no-autoplay": "off", // The video has no sound, and does not play if reduced motion is preferred.
    "aria-label-misuse": ["error", { allowAnyNamable: true }], // Lists have names.
    "valid-id": ["error", { relaxed: true }], // Ids contain paths.
    "form-dup-name": ["error", { shared: ["radio", "button", "reset", "submit", "checkbox"] }],
    // These rules do not see style sheets and scripts.
    "unique-landmark": "off", // The same navigation is shown as a row or as a menu.
    "wcag/h32": "off", // A form's button may be outside it, and charts have forms that are never sent.
  },
}));

/** Blocks with a name but no role, which ARIA 1.2 prohibits. The validator allows it if they take focus. */
const NAMED_BLOCK = /<pre(?=[^>]* aria-label)(?![^>]* role=)[^>]*>/g;

/** The reference of a character that was escaped twice, which a reader sees as `&amp;`. */
const ESCAPED_TWICE = /(?<=(.{0,30}))&amp;(?:amp|lt|gt|quot|#\d+);/g;

async function faultsOf(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  const found = results.flatMap(({ messages }) => messages)
    .map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`);
  const shown = html.replaceAll(/<script\b.*?<\/script>/gs, "");
  const twice = Array.from(shown.matchAll(ESCAPED_TWICE), ([text, before]) => before + text);
  return [...found, ...html.match(NAMED_BLOCK) ?? [], ...twice];
}

interface Place {
  path: string;
  /** Default: every surface that serves the path. */
  on?: SurfaceName;
  /** Posted, once on each surface. Default: GET. */
  form?: Record<string, string>;
  /** Default: none, and each of the surface's sessions; for a form only the first of these sessions. */
  cookie?: string;
  /** The status if the page shows an error. Default: 200. */
  status?: number;
}

/** Returns the places of the pages whose routes have parameters, or that need some state. */
async function placesOf(fixture: AccessFixture): Promise<Record<string, Place[]>> {
  const { site: { services }, owner: { hash, cookie }, document } = fixture;
  const { links, reader, request, offer, refusal, account, keys, batches, code, ...filled } =
    await fillSite(fixture);
  const tokenOf = (link: keyof typeof links) => links[link].searchParams.get("token")!;
  const confirmation = tokenOf("confirmation");
  const user = (await services.auth.findUser("admin@example.org"))!;
  const person = await services.audit.personKey("admin@example.org");
  const issuer = `/console/issuers/${filled.issuer}`;
  const form = { email: PERSON.email };
  const revocationFields = async (key: ApiKeyRow) =>
    Object.fromEntries(
      new URLSearchParams((await revocationPath(services.secrets, key)).split("?")[1]),
    );
  const stop = await stopLinkOf(services, "Stopped College");
  const share = `/my-record/share?document=${document}`;
  const looked = await lookAt(services, await offerTo(services, "looker"));
  const wanted = { act: "create", days: "7", openings: "1", form: crypto.randomUUID() };
  const record = `/console/records/${hash}`;
  const enquiry = `/console/inbox/${hash}`;
  return {
    "/accept/index": [
      { path: `/accept?${new URLSearchParams(offer)}` },
      { path: "/accept", form: { ...refusal, act: "refuse" }, cookie: "" },
      { path: "/accept", form: { ...offer, act: "accept" }, cookie: "" },
      { path: "/accept?of=unknown&token=unknown", status: 404 },
    ],
    "/accept/[document]/index": [looked],
    "/keys/revoke": [
      ...await Promise.all(
        keys.map(async (key) => ({ path: await revocationPath(services.secrets, key) })),
      ),
      { path: "/keys/revoke", form: await revocationFields(keys[0]), status: 400 },
      { path: "/keys/revoke", form: { ...await revocationFields(keys[0]), webhooks: "keep" } },
      { path: `/keys/revoke?of=commercial.${"0".repeat(16)}&token=unknown`, status: 404 },
    ],
    "/keys/stop": [
      { path: stop },
      { path: "/keys/stop", form: Object.fromEntries(new URLSearchParams(stop.split("?")[1])) },
      { path: "/keys/stop?of=commercial&token=unknown", status: 404 },
    ],
    "/api/auth/otp/send": [
      { path: "/api/auth/otp/send", form: { method: "sms" }, cookie: "", status: 400 },
    ],
    "/api/auth/otp/verify": [
      { path: "/api/auth/otp/verify", form: { code: "000000" }, cookie: "", status: 400 },
    ],
    "/api/auth/request": [
      { path: "/api/auth/request", form: { email: "ada@example.org" }, cookie: "" },
      { path: "/api/auth/request", form: { email: "no" }, cookie: "", status: 400 },
    ],
    "/api/ir/register": [{ path: "/api/ir/register", form: { name: "Ada" }, status: 400 }],
    "/authorize": [{ path: "/authorize", status: 400 }],
    "/compare": [{ path: "/compare" }, { path: "/compare?a=TAE40110&b=TAE40122" }],
    "/confirm": [
      { path: `/confirm?token=${confirmation}` },
      { path: "/confirm", form: { token: confirmation }, cookie: "" },
      { path: "/confirm?token=unknown", status: 400 },
    ],
    "/console/finance/[id]": [{ path: `/console/finance/${account}` }],
    "/console/inbox/[hash]/index": [
      { path: enquiry },
      { path: enquiry, form: { act: "note", text: "", key: "" }, status: 400 },
    ],
    "/console/inbox/[hash]/reply": [{ path: `${enquiry}/reply`, form: {}, status: 400 }],
    "/console/issuers/[id]/index": [
      { path: issuer },
      { path: issuer, form: { text: "Grace" } },
      { path: `${issuer}?state=none`, status: 400 },
      { path: "/console/issuers/commercial" },
    ],
    "/console/issuers/[id]/settings": [
      { path: `${issuer}/settings` },
      { path: `${issuer}/settings`, form: { act: "rename", name: "" }, status: 400 },
      { path: "/console/issuers/commercial/settings" },
    ],
    "/console/issuers/[id]/keys": [
      { path: `${issuer}/keys` },
      {
        path: `${issuer}/keys`,
        form: { act: "create_key", id: "0".repeat(16), name: "" },
        status: 400,
      },
      { path: `${issuer}/keys`, form: { act: "revoke_key", key: keys[0].id }, status: 400 },
      { path: `${issuer}/keys`, form: { act: "replace_key", key: keys[0].id, overlap: "24" } },
    ],
    "/console/issuers/[id]/documents/[document]/index": [
      { path: `${issuer}/documents/${filled.issued}` },
      {
        path: `${issuer}/documents/${filled.issued}`,
        form: { act: "withdraw", reason: "" },
        status: 400,
      },
    ],
    "/console/issuers/[id]/batches/index": [{ path: `${issuer}/batches` }],
    "/console/issuers/[id]/batches/new": [
      { path: `${issuer}/batches/new` },
      { path: `${issuer}/batches/new`, form: { mode: "live" }, status: 415 },
    ],
    "/console/issuers/[id]/batches/[batch]/index": [
      ...batches.map((batch) => ({ path: `${issuer}/batches/${batch}` })),
      { path: `${issuer}/batches/${batches[0]}`, form: { act: "cancel" }, status: 409 },
    ],
    "/console/issuers/[id]/pictures/[kind]": [
      { path: `${issuer}/pictures/signature`, form: {}, status: 415 },
    ],
    "/console/payments/[id]": [{ path: "/console/payments/pi_1" }],
    "/console/records/[hash]": [{ path: record }],
    "/console/records/[hash]/documents/index": [
      { path: `${record}/documents`, form: {}, status: 415 },
    ],
    "/console/records/[hash]/documents/[id]": [{ path: `${record}/documents/${document}` }],
    "/console/records/[hash]/documents/[id]/view": [
      { path: `${record}/documents/${document}/view` },
    ],
    "/console/search": [{ path: "/console/search" }, { path: "/console/search?q=Ada" }],
    "/console/team/[person]": [{ path: `/console/team/${person}` }],
    "/console/team/join": [{ path: "/console/team/join?token=unknown", status: 410 }],
    "/console/team/passkeys": [
      {
        path: "/console/team/passkeys",
        form: { act: "reset", user: String(user.id) },
        status: 403,
      },
    ],
    "/console/users/[id]": [{ path: `/console/users/${user.id}` }],
    "/d/[id]/[[page]]": [
      { path: `/d/${document}` },
      { path: `/d/${document}`, cookie: reader },
      { path: `/d/${document}`, cookie },
    ],
    "/d/[id]/request": [
      { path: `/d/${document}/request` },
      { path: `/d/${document}/request`, form: { ...STRANGER, email: "no" }, status: 400 },
    ],
    "/d/request": [{ path: `/d/request?token=${tokenOf("asked")}` }],
    "/index": [{ path: "/" }, { path: "/?q=care&level=3&status=current", on: "site" }],
    "/my-record/authorize/code": [{
      path: "/my-record/authorize/code",
      form: { request, code: "000000" },
      cookie: "",
      status: 400,
    }],
    "/docs/[guide]": ["contact-form", "feed", "app", "issuing"].map((id) => ({
      path: `/docs/${id}`,
    })),
    "/docs/operations/[id]": ["createWebhook", "registerRecord"].map((id) => ({
      path: `/docs/operations/${id}`,
    })),
    "/my-record/authorize/index": [{ path: `/my-record/authorize?request=${request}` }],
    "/my-record/link": [{ path: `/my-record/link?token=${tokenOf("signIn")}` }],
    "/my-record/share": [
      { path: share },
      { path: share, form: { ...wanted, days: "2" }, status: 400 },
      { path: share, form: wanted },
    ],
    "/my-record/sign-in": [{ path: "/my-record/sign-in", form, cookie: "" }],
    "/my-record/undo": [
      { path: `/my-record/undo?token=${tokenOf("undo")}` },
      { path: "/my-record/undo?token=unknown", status: 404 },
    ],
    "/qualifications/[code]": [{ path: "/qualifications/CHC50121" }],
    "/s/index": [
      { path: "/s", cookie: "" },
      { path: "/s", form: { code }, cookie: "" },
      { path: "/s", form: { code: code.replace(/.$/, "U") }, cookie: "", status: 400 },
      { path: "/s", form: { code: filled.personal }, cookie: "" },
    ],
    "/standard/[section]": [{ path: "/standard/event-chain" }],
    "/verify": [{ path: "/verify" }, { path: `/verify?hash=${hash}` }],
  };
}

/** Returns the modules in `routes` that render pages, without the extension. */
function* pageModules(folder = "routes"): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* pageModules(path);
    else if (/^[^_].*\.tsx?$/.test(name) && isPage(path)) {
      yield path.slice("routes".length).replace(/\.tsx?$/, "");
    }
  }
}

/** Some modules that only process forms call a function such as `renderCodePage`. */
const isPage = (path: string) =>
  path.endsWith(".tsx") || /\brender[A-Z]?\w*\(/.test(Deno.readTextFileSync(path));

const pathOf = (module: string) => module.replace(/\/index$/, "") || "/";

/** Returns the cookies of people who are signed in on each surface. */
async function sessionsOf({ site, signIn, owner }: AccessFixture) {
  const { auth, surfaces } = site.services;
  const sessions = new Map<SurfaceName, string[]>();
  for (const surface of surfaces.all) {
    const { name, kind, holders, servesAll } = surface;
    const cookies = holders ? [await signIn([owner.hash], { on: name })] : [];
    const people = ["admin@example.org", ...kind === "console" ? ["board@example.org"] : []];
    for (const email of surface.signIn === null ? [] : people) {
      const { token } = await auth.issueLink({ email, surface: name });
      cookies.push(`app_session=${(await auth.verify(token, name))!.sessionId}`);
    }
    // On the workbench one browser has both.
    sessions.set(name, servesAll ? [cookies.join("; ")] : cookies);
  }
  return sessions;
}

/** Returns the surfaces whose pages are checked. */
function surfacesOf({ path, on }: Place, { surfaces }: AccessFixture["site"]["services"]) {
  if (on !== undefined) return [surfaces.get(on)!];
  const { pathname } = new URL(path, "http://localhost");
  const serving = surfaces.all.filter((surface) => surface.serves(pathname));
  // The workbench serves every path, in the same frame as its own pages.
  const others = serving.filter(({ servesAll }) => !servesAll);
  return others.length === 0 || pathname === "/" ? serving : others;
}

/** Returns a page without its nonce, which differs each time. */
const withoutNonce = (html: string) => {
  const nonce = / nonce="([^"]*)"/.exec(html)?.[1];
  return nonce === undefined ? html : html.replaceAll(nonce, "");
};

/** Requests pages and collects what is wrong with them. */
function createChecker({ site }: AccessFixture) {
  const faults: string[] = [];
  const known = new Set<string>();
  return {
    faults,
    /** Returns the status of a page, or null for a response that is not a page. */
    async check(surface: Surface, { path, form }: Place, cookie: string): Promise<number | null> {
      const { origin } = new URL(surface.baseUrl);
      const response = await site.request(surface.name, path, {
        method: form === undefined ? "GET" : "POST",
        body: form && new URLSearchParams(form),
        headers: { accept: "text/html", cookie, ...form && { origin } },
      });
      const html = await response.text();
      const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
      const text = withoutNonce(html);
      if (isPage && !known.has(text)) {
        const where = `${form ? "POST" : "GET"} ${surface.name} ${path}`;
        const found = [...await faultsOf(html), ...wordFaults(html, `${surface.name} ${path}`)];
        faults.push(...found.map((fault) => `${where}: ${fault}`));
        known.add(text);
      }
      return isPage ? response.status : null;
    },
  };
}

Deno.test("every page of every surface is valid HTML in the words of the glossary, signed in or not", async () => {
  let sandboxes: Sandboxes | undefined;
  const fixture = await accessFixture({}, {
    network: NOWHERE,
    configure: (config) => (sandboxes = startSandboxes(config)).configure(config),
  });
  try {
    const { services } = fixture.site;
    const sessions = await sessionsOf(fixture);
    const places = await placesOf(fixture);
    const { check, faults } = createChecker(fixture);
    const modules = [...pageModules()];
    const shown = new Set<string>();
    for (const module of modules) {
      for (const place of places[module] ?? [{ path: pathOf(module) }]) {
        for (const surface of surfacesOf(place, services)) {
          const signedIn = sessions.get(surface.name)!;
          const usual = place.form === undefined ? ["", ...signedIn] : [signedIn[0] ?? ""];
          for (const cookie of place.cookie === undefined ? usual : [place.cookie]) {
            const status = await check(surface, place, cookie);
            if (status === (place.status ?? 200)) shown.add(module);
          }
        }
      }
    }
    for (const surface of services.surfaces.all) {
      for (const cookie of ["", ...sessions.get(surface.name)!]) {
        assertEquals(await check(surface, { path: "/nowhere" }, cookie), 404);
      }
    }
    assertEquals(faults, []);
    const unseen = modules.filter((module) => !shown.has(module));
    assertEquals(unseen, [], "These pages were not shown. Add their places.");
    assertEquals(Object.keys(places).filter((module) => !modules.includes(module)), []);
  } finally {
    await fixture[Symbol.asyncDispose]();
    await sandboxes?.stop();
  }
});
