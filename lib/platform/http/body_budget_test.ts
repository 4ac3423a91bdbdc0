import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { until } from "../../testing/until.ts";
import { readInput, readJson, readText } from "./body.ts";
import { accountOf, createBodyBudget, kept } from "./body_budget.ts";
import { RequestError } from "./errors.ts";
import { readFileForm } from "./file_form.ts";

const KIB = 1024;
const LIMITS = { all: 1_000 * KIB, large: 600 * KIB, caller: 500 * KIB };

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request("https://example.org", {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });

/** Runs something that must be refused, and returns the status and `Retry-After`. */
function refusal(run: () => void): unknown[] {
  const { status, headers } = assertThrows(run, RequestError);
  return [status, headers!["retry-after"]];
}

Deno.test("a caller that keeps too much gets 429, others do not, and what is closed counts no more", () => {
  const budget = createBodyBudget(LIMITS);
  const [one, two] = [0, 1].map(() => budget.open(post("x"), () => "a"));
  const other = budget.open(post("x"), () => "b");
  one.keep(300 * KIB);
  two.keep(200 * KIB);
  assertEquals(refusal(() => two.keep(1)), [429, "1"]);
  other.keep(100 * KIB);
  assertEquals(budget.used, 400 * KIB, "without the body that was refused");
  one.close();
  budget.open(post("x"), () => "a").keep(400 * KIB);
  assertEquals(budget.used, 500 * KIB);
  for (const account of [one, two, other]) account.close();
  assertEquals(budget.used, 400 * KIB);
});

Deno.test("if all callers keep too much, each gets 503, and small bodies still have room", () => {
  const budget = createBodyBudget(LIMITS);
  const open = (caller: string) => budget.open(post("x"), () => caller);
  open("a").keep(400 * KIB);
  const large = open("b");
  large.keep(300 * KIB);
  assertEquals(refusal(() => large.keep(64 * KIB)), [503, "1"]);
  open("b").keep(300 * KIB);
  const small = Array.from({ length: 4 }, (_, i) => open(`c${i}`));
  for (const each of small) each.keep(64 * KIB);
  assertEquals(refusal(() => open("d").keep(64 * KIB)), [503, "1"]);
  small[0].close();
  open("d").keep(64 * KIB);
});

Deno.test("a body is counted for the caller that is known when it arrives", () => {
  const budget = createBodyBudget(LIMITS);
  const requests = [0, 1].map(() => post("x"));
  for (const req of requests) budget.open(req, () => "an address");
  accountOf(requests[0]).countFor("issuer/1");
  for (const req of requests) accountOf(req).keep(250 * KIB);
  assertEquals(refusal(() => accountOf(requests[0]).keep(251 * KIB)), [429, "1"]);
});

/** A body that sends some bytes and then nothing more. */
const stalled = (bytes: number) =>
  new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(bytes).fill(0x20)),
  }, { highWaterMark: 0 }).pipeThrough(
    new TransformStream(
      {
        transform(chunk, controller) {
          controller.enqueue(chunk);
          return new Promise(() => {}); // the next one never comes
        },
      },
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    ),
  );

const FORM = { "content-type": "multipart/form-data; boundary=x" };
const FIELD = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n';

Deno.test("bodies are counted while they arrive, and fields of forms with a file once they have arrived", async () => {
  const budget = createBodyBudget(LIMITS);
  const read: [
    name: string,
    req: Request,
    read: (req: Request) => Promise<unknown>,
    kept: number,
  ][] = [
    ["text", post(stalled(10_000)), (req) => readText(req, 20_000, 50), 10_000],
    ["JSON", post(stalled(10_000)), (req) => readJson(req, 20_000), 10_000],
    ["input", post(stalled(10_000)), (req) => readInput(req), 10_000],
    ["short JSON", post("{}", { "content-length": "2" }), (req) => readJson(req, 20_000), 2],
    [
      "a form",
      post(`${FIELD}${"v".repeat(9_999)}\r\n--x--\r\n`, FORM),
      (req) => readFileForm(req, 20_000),
      10_000,
    ],
  ];
  for (const [name, req, reading, kept] of read) {
    const account = budget.open(req, () => "a");
    const result = reading(req).catch(() => {});
    if (name !== "text" && kept === 10_000 && name !== "a form") {
      await until(() => budget.used >= kept, `${name} is kept`);
    } else await result;
    assertEquals(budget.used, kept, name);
    account.close();
    assertEquals(budget.used, 0, name);
  }
});

Deno.test("a body that is announced and not sent is not counted", async () => {
  const budget = createBodyBudget(LIMITS);
  const req = post(stalled(5_000), { "content-length": "60000" });
  const account = budget.open(req, () => "a");
  await assertRejects(() => readText(req, 64 * KIB, 20), RequestError, "took too long");
  assertEquals(budget.used, 5_000);
  account.close();
});

Deno.test("a body that exceeds the budget is refused while it arrives, and not read any further", async () => {
  const budget = createBodyBudget({ ...LIMITS, caller: 50 * KIB });
  let pulled = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(20 * KIB));
    },
  }, { highWaterMark: 0 });
  const req = post(endless);
  budget.open(req, () => "a");
  const { status } = await assertRejects(() => readText(req, 1_000 * KIB), RequestError);
  assertEquals([status, pulled, budget.used], [429, 3, 0]);
});

Deno.test("bytes that are kept have no larger buffer behind them", async () => {
  const parts = [new Uint8Array(64 * KIB).subarray(0, 10), new Uint8Array(20)];
  const all = await Array.fromAsync(kept(post("x"), ReadableStream.from(parts)));
  assertEquals(all.map(({ length, buffer }) => [length, buffer.byteLength]), [[10, 10], [20, 20]]);
});
