/** Requests for pages and actions of the consoles, whose costs are counted. */
import { type Case, CASES } from "../separation_cases.ts";
import { paymentEvent, signStripe } from "../../sandbox/payment_events.ts";
import { CONSOLES, PEOPLE, SECRETS } from "../separation_site.ts";
import type { CostRequest, CostRequests } from "./requests.ts";
import type { ConsoleSite } from "./sites.ts";

/** The queries that make another page, and not only a shorter list. */
const OTHER = /format=|view=|search=|q=|transaction=/;

type Organisation = keyof typeof CONSOLES;

/** Pages and searches of a console for one layer. */
export const consolePages = (
  site: ConsoleSite,
  on: Organisation,
  layer: "L1" | "L2",
): CostRequests =>
  requestsOf(site, on, layer, ({ kind, board, path }) => {
    if (kind === "action" || layer === "L2" && !board) return false;
    const [, query] = path(site.ids[on], site.ids[on]).split("?");
    return query === undefined || layer === "L1" && on === "commercial" && OTHER.test(query);
  });

/** Actions of a full administrator. Each of them changes an object as the next one needs it. */
export const consoleActions = (site: ConsoleSite): CostRequests => ({
  ...requestsOf(site, "commercial", "L1", ({ kind }) => kind === "action"),
  "commercial-console POST /api/payments/webhook": () => payment(site),
});

let payments = 0;

/** Returns an event of the payment provider. */
function payment({ clock, ids: { commercial: { record } } }: ConsoleSite): CostRequest {
  const created = Math.floor(clock.now / 1_000);
  const id = ++payments;
  const event = paymentEvent({ id: `evt_${id}`, created, payment: `pi_${id}`, record });
  const { body, headers } = signStripe(JSON.stringify(event), SECRETS.commercial, created);
  return {
    on: CONSOLES.commercial,
    path: "/api/payments/webhook",
    body,
    headers: { accept: "*/*", "content-type": "application/json", ...headers },
  };
}

/** Returns the requests of the test that separates the two consoles, which tries each of their routes. */
function requestsOf(
  site: ConsoleSite,
  on: Organisation,
  layer: "L1" | "L2",
  isWanted: (each: Case) => boolean | undefined,
): CostRequests {
  const found: CostRequests = {};
  const { routes } = site.site.services.surfaces.get(CONSOLES[on])!;
  for (const { path, off } of routes) {
    if (off !== undefined) continue;
    for (const each of (CASES[path] ?? []).filter(isWanted)) {
      const name = nameOf(site, on, path, each);
      const request = () => requestOf(site, on, layer, each);
      if (each.kind === "action") found[unused(name, found)] = { once: request };
      else found[name] ??= request;
    }
  }
  return found;
}

async function requestOf(
  site: ConsoleSite,
  on: Organisation,
  layer: "L1" | "L2",
  { path, form, json, file, conflict }: Case,
): Promise<CostRequest> {
  const own = site.ids[on];
  const fields = form?.(own, own);
  site.clock.now += 1_000;
  return {
    on: CONSOLES[on],
    path: path(own, own),
    cookie: await site.cookie(PEOPLE[layer], CONSOLES[on]),
    form: file === undefined ? fields : formWith(fields ?? {}, file),
    json: json?.(own),
    ...conflict && { status: 409 },
  };
}

function formWith(fields: Record<string, string>, file: true | Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([file === true ? crypto.randomUUID() : file], "new.txt"));
  return form;
}

/** Returns the route with the names of what the request sends, without the ids. */
function nameOf({ ids }: ConsoleSite, on: Organisation, route: string, each: Case): string {
  const form = each.form?.(ids[on], ids[on]);
  const isPost = form !== undefined || each.json !== undefined || each.file !== undefined ||
    each.kind === "action";
  const query = new URLSearchParams(each.path(ids[on], ids[on]).split("?")[1]);
  const terms = [...query].map(([name, value]) => `${name}=${value.length > 12 ? "…" : value}`);
  const path = route.replace(/:\w+/g, "…") + (terms.length === 0 ? "" : `?${terms.join("&")}`);
  const sent = form?.act ?? Object.keys(form ?? each.json?.(ids[on]) ?? {}).join(" and ");
  return `${CONSOLES[on]} ${isPost ? "POST " : ""}${path}${sent === "" ? "" : `, ${sent}`}`;
}

function unused(name: string, found: CostRequests): string {
  for (let i = 2, free = name;; free = `${name}, ${i++}`) if (!(free in found)) return free;
}
