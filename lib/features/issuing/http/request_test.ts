import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { RequestError } from "../../../platform/http/errors.ts";
import { paramsOf, readApiInput } from "./request.ts";

const URL_OF = "https://api.example/api/documents";

const post = (body: BodyInit, headers?: Record<string, string>) =>
  readApiInput(new Request(URL_OF, { method: "POST", body, headers }));

const postJson = (body: unknown) =>
  post(JSON.stringify(body), { "content-type": "application/json" });

/** Returns the status of a refused request, and the fields with issues. */
async function refusalOf(input: Promise<unknown>): Promise<[number, string[]]> {
  const { status, issues } = await assertRejects(() => input, RequestError);
  return [status, Object.keys(issues ?? {})];
}

Deno.test("the fields of a JSON body are limited to 64 KiB, with and without a file", async () => {
  const title = "x".repeat(70_000);
  assertEquals(await refusalOf(postJson({ title })), [413, []]);
  assertEquals(await refusalOf(postJson({ title, file: "QQ==" })), [413, []]);
  assertEquals((await postJson({ title: "A", file: "Q".repeat(80_000) })).fields, { title: "A" });
});

Deno.test("a file that is not in base64 with padding is refused", async () => {
  for (const file of ["QQ", "QQ=", "Q===", "Q_==", "QQ==QQ==", 7]) {
    assertEquals(await refusalOf(postJson({ file })), [400, ["file"]], String(file));
  }
  const { file } = await postJson({ file: " Q\r\nQ==\t" });
  assertEquals(await new Response(ReadableStream.from(file!.body)).text(), "A");
});

Deno.test("the fields of a form are members of their own, whatever their names are", async () => {
  const form = new FormData();
  const fields = { "recipient.name": "Ada", "recipient.email": "a@example.org", public: "true" };
  for (const [name, text] of Object.entries(fields)) form.set(name, text);
  for (const name of ["__proto__", "constructor.prototype"]) form.set(name, "x");
  const input = await post(form);
  assertEquals(Object.entries(input.fields), [
    ["recipient", { name: "Ada", email: "a@example.org" }],
    ["public", true],
    ["__proto__", "x"],
    ["constructor", { prototype: "x" }],
  ]);
});

Deno.test("a parameter of a URL that occurs twice is refused", () => {
  assertEquals(paramsOf(new URL(`${URL_OF}?a=1&b=2`)), { a: "1", b: "2" });
  const { status, issues } = assertThrows(
    () => paramsOf(new URL(`${URL_OF}?a=1&b=2&a=1`)),
    RequestError,
  );
  assertEquals([status, Object.keys(issues ?? {})], [400, ["a"]]);
});
