/** The requests of the benchmark `worst-case`, which are the most expensive ones known for each endpoint. */
import { formatCheckpoint, formatNote } from "../packages/proof/mod.ts";
import type { TestLog } from "../lib/features/witness/testing/test_log.ts";
import { makeChain } from "../lib/features/chain/testing/fixtures.ts";

/** The values that the requests need from the store. */
interface Served {
  /** The session of a full administrator on the commercial console. */
  cookie: string;
  /** A record with as many events as `verify_chain` reads. */
  record: string;
  /** A log whose first 3 entries the witness has countersigned. */
  log: TestLog;
}

/** A request that is built to cost the server as much CPU time as possible. */
export interface HostileRequest {
  name: string;
  method: "GET" | "POST";
  host: string;
  path: string;
  headers?: Record<string, string>;
  /** `{n}` is replaced by a different number each time. */
  body?: string;
}

type Fields = Record<string, string>;

const JSON_BODY = { "content-type": "application/json" };
const FORM_BODY = { "content-type": "application/x-www-form-urlencoded" };
const MCP_BODY = { ...JSON_BODY, accept: "application/json, text/event-stream" };
const KIB = 1024;

const SITE = "site.localhost";
const API = "api.localhost";
const TRUST = "trust.localhost";
const FOUNDATION = "foundation.localhost";
const CONSOLE = "ops.commercial.localhost";
const MCP = "mcp.foundation.localhost";
const RELAY = "docs.relay.localhost";
const WITNESS = "witness.localhost";

/** Normalising sorts the combining marks after a letter in quadratic time. */
const ACCENTS = "a" + "\u0344".repeat(16_000) + "\u0323".repeat(16_000) + "@x.example";

/** `/` followed by a `%` that is escaped many times: each decoding leaves another escape. */
const NESTED_ESCAPES = "/%" + "25".repeat(990);

const range = <Item>(length: number, itemOf: (i: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => itemOf(i));
const names = (length: number) => range(length, (i) => i.toString(36));
const members = (length: number) => Object.fromEntries(names(length).map((name) => [name, 1]));

/** Texts of one length, each of them expensive for some way of reading it. */
const texts = (length: number): [name: string, text: string][] => [
  ["one letter", "a".repeat(length)],
  ["@", "@".repeat(length)],
  ["dots", "a.".repeat(length / 2)],
  ["blanks", " ".repeat(length - 1) + "a"],
  ["escapes", "%25".repeat(length / 3)],
  ["words", names(length / 5).map((name) => name.padStart(4, "a")).join(" ")],
];

/** Forms and objects of 64 KiB with unexpected fields. */
const BODIES: [name: string, type: Fields, body: string][] = [
  ["30,000 empty fields", FORM_BODY, "a&".repeat(32 * KIB - 1)],
  ["12,000 fields", FORM_BODY, names(12_000).join("=&")],
  ["brackets", JSON_BODY, "[".repeat(32 * KIB) + "]".repeat(32 * KIB)],
  ["nested objects", JSON_BODY, '{"a":'.repeat(10_000) + "1" + "}".repeat(10_000)],
  ["6,000 members", JSON_BODY, JSON.stringify(members(6_000))],
];

const get = (host: string, path: string, headers?: Fields): HostileRequest => ({
  name: `${host}${path.length > 60 ? `${path.slice(0, 40)}… (${path.length})` : path}`,
  method: "GET",
  host,
  path,
  headers,
});

/** Returns functions that create POST requests to one endpoint, with a text or JSON body. */
function postTo(host: string, path: string, title: string) {
  const raw = (name: string, headers: Fields, body: string): HostileRequest => ({
    name: `${title}, ${name}`,
    method: "POST",
    host,
    path,
    headers,
    body,
  });
  const json = (name: string, body: unknown, headers: Fields = JSON_BODY) =>
    raw(name, headers, JSON.stringify(body));
  return { raw, json };
}

function signInRequests(): HostileRequest[] {
  const site = postTo(SITE, "/api/auth/request", "sign-in");
  const console = postTo(CONSOLE, "/api/auth/request", "console sign-in");
  const email = "a{n}@x.example";
  return [
    site.json("accents as email", { email: ACCENTS }),
    site.raw("accents as email of a form", FORM_BODY, `email=${ACCENTS}`),
    ...texts(63 * KIB).flatMap(([name, text]) => [
      site.json(`${name} as email`, { email: text }),
      console.json(`${name} as next`, { email, next: text }),
    ]),
    console.json("nested escapes as next", { email, next: NESTED_ESCAPES }),
    get(CONSOLE, `/auth?next=${encodeURIComponent(NESTED_ESCAPES)}`),
    ...BODIES.map((body) => site.raw(...body)),
  ];
}

function contactRequests(): HostileRequest[] {
  const { raw, json } = postTo(API, "/api/ir/register", "contact");
  const enquiry = { name: "Ada", email: "a@x.example", enquiry_type: "Other", elapsed_ms: 5_000 };
  const change = (name: string, fields: Record<string, unknown>) =>
    raw(name, JSON_BODY, JSON.stringify({ ...enquiry, ...fields }));
  const mobile = (number: string, country = "AU") => ({ mobile: { country, number } });
  return [
    json("an empty object", {}),
    change("a registration", {}),
    ...["name", "organisation", "email", "message", "challenge", "fax_extension"].map((field) =>
      change(`accents as ${field}`, { [field]: ACCENTS })
    ),
    change("accents as mobile", mobile(ACCENTS)),
    ...texts(62 * KIB).flatMap(([name, text]) => [
      change(`${name} as name`, { name: text }),
      change(`${name} as message`, { message: text }),
      change(`${name} as mobile`, mobile(text)),
      change(`${name} as country`, mobile("0412345678", text)),
    ]),
    change("a message of line ends", { message: "\r".repeat(20_000) }),
    change("a message of accents", { message: `a${"\u0344\u0323".repeat(15)}`.repeat(600) }),
    change("digits as mobile", mobile("1".repeat(40))),
    raw("accents as name of a form", FORM_BODY, `name=${ACCENTS}`),
    raw("brackets as a form's time", FORM_BODY, `rendered_at=${"(".repeat(63 * KIB)}`),
    ...BODIES.map((body) => raw(...body)),
    postTo(TRUST, "/confirm", "confirm").raw("accents as token", FORM_BODY, `token=${ACCENTS}`),
  ];
}

function recordSignInRequests(): HostileRequest[] {
  const { raw, json } = postTo(TRUST, "/my-record/sign-in", "record sign-in");
  const link = postTo(TRUST, "/my-record/link", "record link");
  const choose = postTo(TRUST, "/my-record/choose", "record choice");
  return [
    json("a new address", { email: "a{n}@x.example" }),
    json("accents as email", { email: ACCENTS }),
    raw("accents as email of a form", FORM_BODY, `email=${ACCENTS}`),
    ...texts(63 * KIB).flatMap(([name, text]) => [
      json(`${name} as email`, { email: text }),
      raw(
        `${name} as email of a form`,
        FORM_BODY,
        `email=${encodeURIComponent(text)}`.slice(0, 64 * KIB - 3),
      ),
      link.raw(`${name} as token`, FORM_BODY, `token=${text}`),
      choose.raw(`${name} as record`, FORM_BODY, `record=${text}`),
    ]),
    ...BODIES.flatMap((body) => [raw(...body), link.raw(...body), choose.raw(...body)]),
  ];
}

function codeRequests(): HostileRequest[] {
  const send = postTo(TRUST, "/api/auth/otp/send", "code");
  const verify = postTo(TRUST, "/api/auth/otp/verify", "code check");
  const mobile = (value: unknown) => ({ method: "sms", purpose: "sign_in", mobile: value });
  return [
    send.json("a number", mobile("+61491570006")),
    send.json("digits as number", mobile({ country: "AU", number: "1".repeat(40) })),
    ...texts(62 * KIB).flatMap(([name, text]) => [
      send.json(`${name} as number`, mobile(text)),
      send.json(`${name} as national number`, mobile({ country: "AU", number: text })),
      verify.json(`${name} as code`, { code: text, purpose: "sign_in" }),
    ]),
    send.raw("accents as number of a form", FORM_BODY, `method=sms&mobile_number=${ACCENTS}`),
    ...BODIES.flatMap((body) => [send.raw(...body), verify.raw(...body)]),
  ];
}

/** Callbacks with a wrong signature, which is computed over the whole form. */
function codeCallbackRequests(): HostileRequest[] {
  const signed = { ...FORM_BODY, "x-twilio-signature": `${"A".repeat(27)}=` };
  return ["/api/codes/status", "/api/codes/voice?call=x"].flatMap((path) => {
    const { raw } = postTo(TRUST, path, path);
    return [
      ...texts(63 * KIB).map(([name, text]) => raw(`${name} as To`, signed, `To=${text}`)),
      raw("100 fields", signed, names(100).map((name) => `${name}=${"a".repeat(600)}`).join("&")),
      ...BODIES.map(([name, type, body]) => raw(name, { ...signed, ...type }, body)),
    ];
  });
}

/** Events with wrong signatures, which are computed over the whole body for each secret. */
function paymentRequests(): HostileRequest[] {
  const { raw } = postTo(CONSOLE, "/api/payments/webhook", "payment");
  const time = Math.floor(Date.now() / 1000) + 120;
  const macs = range(20, (i) => `${i}`.padStart(64, "0"));
  const stripe = { "stripe-signature": `t=${time},v1=${macs.join(",v1=")}` };
  const standard = {
    "webhook-id": "a".repeat(255),
    "webhook-timestamp": `${time}`,
    "webhook-signature": macs.map((mac) => `v1,${mac.slice(0, 43)}=`).join(" "),
  };
  const bodies = ["a", "[", '{"a":'].map((text) => text.repeat(256 * KIB / text.length));
  return bodies.flatMap((body) => [
    raw(`256 KiB of ${body.slice(0, 5)}`, { ...JSON_BODY, ...stripe }, body),
    raw(`256 KiB of ${body.slice(0, 5)}, Standard Webhooks`, { ...JSON_BODY, ...standard }, body),
  ]);
}

/** Responses of passkeys, without a challenge that was issued: nothing is verified. */
function passkeyRequests(): HostileRequest[] {
  const { raw, json } = postTo(TRUST, "/api/auth/verify-passkey", "passkey");
  const id = "A".repeat(22);
  const response = { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" };
  const change = (name: string, fields: Fields, rest: Record<string, unknown> = {}) =>
    json(name, {
      response: {
        id,
        rawId: id,
        type: "public-key",
        response: { ...response, ...fields },
        ...rest,
      },
    });
  // JSON as deep as the limit allows, in base64url.
  const brackets = "W1tb".repeat(680);
  return [
    json("options", {}),
    change("brackets as clientDataJSON", { clientDataJSON: brackets }),
    ...texts(60 * KIB).flatMap(([name, text]) => [
      change(`${name} as clientDataJSON`, { clientDataJSON: text }),
      change(`${name} as id`, {}, { id: text, rawId: text }),
    ]),
    ...BODIES.map((body) => raw(...body)),
  ];
}

/** Keys and nonces, each request from another client, because look-ups are limited. */
function keyRequests(): HostileRequest[] {
  const service = postTo(TRUST, "/k", "key service");
  const report = postTo(TRUST, "/k/verified", "verified chain");
  const own = { ...JSON_BODY, origin: `http://${TRUST}:8000` };
  return [
    ...[500, 62 * KIB].flatMap((length) =>
      texts(length).flatMap(([name, text]) => [
        service.json(`${length} characters, ${name}`, { key: text }),
        report.json(`${length} characters, ${name}`, { nonce: text }, own),
      ])
    ),
    service.json("accents", { key: ACCENTS }),
    service.json("a fragment of blanks", { key: "#" + " ".repeat(473) + "0".repeat(26) }),
    service.raw("hyphens in a form", FORM_BODY, `key=${"-".repeat(474)}${"0".repeat(26)}`),
    ...BODIES.map((body) => service.raw(...body)),
  ].map((request, i) => ({
    ...request,
    headers: { ...request.headers, "x-forwarded-for": `10.0.0.${i}` },
  }));
}

/** Hashes and proofs, each request from another client, because checks are limited. */
function checkRequests(): HostileRequest[] {
  const own = { ...JSON_BODY, origin: `http://${TRUST}:8000` };
  const check = postTo(TRUST, "/check", "document check");
  const proof = postTo(TRUST, "/check/verified", "proof of a file");
  const digits = "0".repeat(64);
  return [
    ...texts(62 * KIB).flatMap(([name, text]) => [
      check.json(name, { sha256: text }, own),
      proof.json(`${name} as nonce`, { nonce: text, sha256: digits, proof: digits }, own),
      proof.json(`${name} as proof`, { nonce: "x", sha256: digits, proof: text }, own),
    ]),
    ...texts(2000).map(([, text]) => get(TRUST, `/check?sha256=${encodeURIComponent(text)}`)),
    ...BODIES.map((body) => check.raw(...body)),
  ].map((request, i) => ({
    ...request,
    headers: { ...request.headers, "x-forwarded-for": `10.0.1.${i}` },
  }));
}

/** Words with beginnings that many other words share. */
const STEMS = ("record event chain hash signature verify document publish version holder " +
  "certificate diploma management business community engineering individual technology training " +
  "commercial education children construction operations leadership health information design " +
  "member number string object value example section standard content reader server system " +
  "between without").split(" ");

/** Different queries of up to 200 characters, each of them expensive for a full-text search. */
const QUERIES: Record<string, (i: number) => string> = {
  beginnings: (i) => range(50, (j) => STEMS[(i + j) % STEMS.length].slice(0, 3)).join(" "),
  letters: (i) => range(100, (j) => String.fromCharCode(97 + (i + j) % 26)).join(" "),
  "whole words": (i) => range(18, (j) => STEMS[(i + 3 * j) % STEMS.length]).join(" "),
  "one long word": (i) => `${"managemen".repeat(22)}${i}`,
};

async function mcpRequests(record: string): Promise<HostileRequest[]> {
  const { raw, json } = postTo(MCP, "/mcp", "MCP");
  const post = (name: string, body: unknown) => json(name, body, MCP_BODY);
  const message = (id: number, method: string, params: unknown) => ({
    jsonrpc: "2.0",
    id,
    method,
    params,
  });
  const call = (name: string, args: unknown, id = 1) =>
    message(id, "tools/call", { name, arguments: args });
  /** The same call alone and in batches of several sizes; batches over a limit are rejected. */
  const times = (name: string, tool: string, argsOf: (i: number) => unknown) => [
    post(`${tool}, ${name}`, call(tool, argsOf(0))),
    ...[2, 10, 25, 50].map((size) =>
      post(`${size} times ${tool}, ${name}`, range(size, (i) => call(tool, argsOf(i), i)))
    ),
  ];
  const events = async (bytes: number) => ({
    record_hash: record,
    events: await makeChain(record, Math.floor(bytes / 280)),
  });
  const stored = { record_hash: record };
  return [
    ...["search_standard", "search_qualifications"].flatMap((tool) =>
      Object.entries(QUERIES).flatMap(([name, queryOf]) =>
        times(name, tool, (i) => ({ query: queryOf(i).slice(0, 200) }))
      )
    ),
    ...times("everything", "search_qualifications", () => ({ limit: 50 })),
    ...times("a long one", "read_standard_section", () => ({ section: "verification" })),
    ...times("a stored chain", "verify_chain", () => stored),
    post("verify_chain, 60 KiB of events", call("verify_chain", await events(60 * KIB))),
    post("verify_chain, 240 KiB of events", call("verify_chain", await events(240 * KIB))),
    post("2 times verify_chain, a stored chain and 230 KiB of events", [
      call("verify_chain", stored),
      call("verify_chain", await events(230 * KIB), 2),
    ]),
    post(
      "verify_chain, 20,000 numbers as events",
      call("verify_chain", { ...stored, events: Array(20_000).fill(0) }),
    ),
    post(
      "verify_chain, an event of 5,000 members",
      call("verify_chain", { ...stored, events: [members(5_000)] }),
    ),
    post("5,000 unknown arguments", call("list_surfaces", members(5_000))),
    post("accents as a query", call("search_standard", { query: ACCENTS })),
    post("blanks as a query", call("search_qualifications", { query: " ".repeat(60_000) })),
    post("a long tool name", call("\u202e".repeat(20_000), {})),
    post("a long method", message(1, "\u202e".repeat(20_000), {})),
    post("50 times tools/list", range(50, (i) => message(i, "tools/list", {}))),
    post("50 times initialize", range(50, (i) => message(i, "initialize", {}))),
    post("50 invalid messages", Array(50).fill({})),
    post("20,000 messages", Array(20_000).fill(0)),
    post("20,000 parameters", message(1, "ping", members(20_000))),
    raw("256 KiB of brackets", MCP_BODY, "[".repeat(128 * KIB) + "]".repeat(128 * KIB)),
  ];
}

/** Paths and queries as long as a URL may be, and as long as the HTTP server lets through. */
function urlRequests({ cookie, record }: Served): HostileRequest[] {
  const admin = { cookie };
  return [8_000, 60 * KIB].flatMap((length) => {
    const long = "a".repeat(length);
    const fields = names(12_000).join("=&").slice(0, length);
    const accents = encodeURIComponent("\u0344".repeat(length / 12) + "\u0323".repeat(length / 12));
    const repeat = (text: string) => text.repeat(length / text.length);
    return [
      ...["/", "/api/qualifications"].flatMap((path) => [
        get(SITE, `${path}?q=${accents}`),
        get(SITE, `${path}?q=${repeat("%20")}a`),
        get(SITE, `${path}?package=${accents}`),
        get(SITE, `${path}?${repeat("a&")}`),
        get(SITE, `${path}?${fields}`),
      ]),
      get(SITE, `/qualifications/${long}`),
      get(SITE, `/compare?a=${accents}`),
      get(SITE, `/compare?${repeat("code=A&")}`),
      get(SITE, `/auth?next=${long}`),
      get(SITE, `/auth/verify?token=${long}`),
      ...["/", "/a", "/%2e", "/%", "/%25", "/.."].map((text) => get(SITE, repeat(text))),
      get(FOUNDATION, `/standard/${long}`),
      get(FOUNDATION, `/standard?q=${accents}`),
      get(FOUNDATION, `/?${fields}`),
      get(TRUST, `/confirm?token=${long}`),
      get(TRUST, `/my-record/link?token=${long}`),
      get(TRUST, `/verify?hash=${long}`),
      get(TRUST, `/verify?hash=${record}&before=${"9".repeat(length)}`),
      get(API, `/api/chain/${long}`),
      get(API, `/api/chain/${record}?${fields}`),
      get(API, `/components/contact-form/${long}.js`),
      get(CONSOLE, `/console/finance/${repeat("%25")}`, admin),
      get(CONSOLE, `/console/finance?refresh_error=${long}`, admin),
      get(CONSOLE, `/api/bank/transactions?account_id=${long}`, admin),
      get(CONSOLE, `/api/bank/transactions?account_id=a&start=${"1".repeat(length)}`, admin),
      get(CONSOLE, `/api/bank/transactions?account_id=a&${fields}`, admin),
      get(CONSOLE, `/api/infra/map?${fields}`, admin),
      get(CONSOLE, `/console/infra?${fields}`, admin),
      get(RELAY, `/${long}`),
      ...["/a", "/a/..", "/%2e%2e", "/%25"].map((text) => get(RELAY, SLUG + repeat(text))),
      get(RELAY, `${SLUG}?${fields}`),
    ];
  });
}

/** The slug of the sandbox relay. */
const SLUG = "/docs-5a7d0b0c0f11a5ed2b1c9e44";

/** The most expensive ordinary requests for pages and endpoints. */
function pageRequests({ cookie, record }: Served): HostileRequest[] {
  const admin = { cookie };
  const queries = Object.values(QUERIES).map((queryOf) =>
    encodeURIComponent(queryOf(0).slice(0, 100))
  );
  return [
    ...queries.flatMap((q) => [
      get(SITE, `/?q=${q}`),
      get(SITE, `/?q=${q}&page=99999`),
      get(SITE, `/api/qualifications?q=${q}`),
      get(FOUNDATION, `/standard?q=${q}`),
    ]),
    get(SITE, "/api/qualifications?limit=100"),
    get(SITE, "/?page=99999"),
    get(SITE, "/compare?a=TAE40110&b=TAE40122"),
    get(FOUNDATION, "/"),
    get(FOUNDATION, "/connect"),
    get(FOUNDATION, "/standard/verification"),
    get(TRUST, "/privacy"),
    get(TRUST, `/verify?hash=${record}`),
    get(API, `/api/chain/${record}?limit=100`),
    get(API, "/docs", { "accept-encoding": "br" }),
    get(API, "/openapi.json", { "accept-encoding": "br" }),
    ...["/console", "/console/finance", "/console/surfaces"].map((path) =>
      get(CONSOLE, path, admin)
    ),
    get(CONSOLE, "/console/payments", admin),
    get(CONSOLE, "/api/bank/accounts", admin),
    get(CONSOLE, "/api/bank/summary", admin),
    postTo(CONSOLE, "/api/bank/refresh", "bank refresh").raw("nothing", admin, ""),
    get(RELAY, `${SLUG}/`),
    get(RELAY, `${SLUG}/compressed`),
  ];
}

/** Forms with a document, which only administrators can send. */
function documentRequests({ cookie, record }: Served): HostileRequest[] {
  const headers = { cookie, "content-type": "multipart/form-data; boundary=aaaaaaaaab" };
  const path = `/console/records/${record}/documents`;
  const { raw } = postTo(CONSOLE, path, "document form");
  const part = '--aaaaaaaaab\r\ncontent-disposition: form-data; name="file"';
  const bodies: [name: string, body: string][] = [
    ["1,000 parts", `${part}\r\n\r\na\r\n`.repeat(1_000)],
    ["almost its boundary", `${part}; filename="a"\r\n\r\n` + "\r\n--aaaaaaaaa".repeat(80 * KIB)],
    ["one long header", part + "a".repeat(1024 * KIB)],
    ["a long file name", `${part}; filename="${"%25".repeat(20 * KIB)}"\r\n\r\na`],
    ["only its boundary", "--aaaaaaaaab\r\n".repeat(70 * KIB)],
  ];
  return bodies.map(([name, body]) => raw(name, headers, body));
}

/** Requests with 200 KiB in one header, for each header that is read somewhere. */
function headerRequests(record: string): HostileRequest[] {
  const headers =
    ("accept cookie x-forwarded-for if-none-match accept-encoding content-type origin range " +
      "sec-purpose idempotency-key mcp-protocol-version content-encoding").split(" ");
  const values = [",", ";", "a,", "; ", "a;q=0 ,", " \t", "app_session=;", '"a",', "1.", "%", "W/"];
  const targets: [host: string, path: string, body?: string][] = [
    [SITE, "/"],
    [SITE, "/auth"],
    [API, `/api/chain/${record}`],
    [API, "/components/contact-form.js"],
    [TRUST, `/verify?hash=${record}`],
    [FOUNDATION, "/.well-known/mcp"],
    [FOUNDATION, "/styles/base.css"],
    [RELAY, `${SLUG}/compressed`],
    [MCP, "/mcp", "{}"],
    [SITE, "/api/auth/request", "{}"],
    [API, "/api/ir/register", "{}"],
  ];
  return targets.flatMap(([host, path, body]) =>
    headers.flatMap((header) =>
      values.map((value): HostileRequest => ({
        name: `${header}: ${JSON.stringify(value)}… for ${host}${path.slice(0, 30)}`,
        method: body === undefined ? "GET" : "POST",
        host,
        path,
        headers: { ...MCP_BODY, [header]: `x${value.repeat(200 * KIB / value.length)}x` },
        body,
      }))
    )
  );
}

/** Checkpoints that a log has signed, with as many hashes and signatures as fit into 16 KiB. */
async function witnessRequests({ signer }: TestLog): Promise<HostileRequest[]> {
  const { raw } = postTo(WITNESS, "/add-checkpoint", "checkpoint");
  const root = crypto.getRandomValues(new Uint8Array(32));
  const text = formatCheckpoint({
    origin: signer.key.name,
    size: Number.MAX_SAFE_INTEGER,
    root,
  });
  const signature = await signer.sign(text);
  const own = { ...signature, name: "witness.localhost" };
  const hashes = `${btoa("x".repeat(32))}\n`.repeat(63);
  const body = (signatures: typeof signature[], proof = "") =>
    `old 3\n${proof}\n${formatNote({ text, signatures })}`;
  return [
    raw("63 hashes and 60 signatures", {}, body(range(60, () => signature), hashes)),
    raw("60 signatures by the witness", {}, body([signature, ...range(60, () => own)])),
    raw("another signature by the log", {}, body([signature, { ...signature, bytes: root }])),
    ...texts(15 * KIB).map(([name, text]) => raw(name, {}, `old 0\n\n${text}`)),
    ...BODIES.map((body) => raw(...body)),
  ];
}

/** Returns the worst requests that we know of for every endpoint. */
export async function hostileRequests(served: Served): Promise<HostileRequest[]> {
  return [
    ...signInRequests(),
    ...contactRequests(),
    ...recordSignInRequests(),
    ...codeRequests(),
    ...codeCallbackRequests(),
    ...paymentRequests(),
    ...passkeyRequests(),
    ...keyRequests(),
    ...checkRequests(),
    ...await mcpRequests(served.record),
    ...urlRequests(served),
    ...pageRequests(served),
    ...documentRequests(served),
    ...headerRequests(served.record),
    ...await witnessRequests(served.log),
  ];
}
