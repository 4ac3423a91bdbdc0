import { assertEquals, assertRejects } from "@std/assert";
import { RequestError } from "./errors.ts";
import { drain, readFileForm } from "./file_form.ts";

const BOUNDARY = "----WebKitFormBoundary-r\n".trim();
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;
const LIMIT = 1024 * 1024;

const field = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (name: string, content: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
  `Content-Type: text/html\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;

/** Returns a request whose body arrives in chunks of a size. */
function request(body: string, chunk = 7, headers: Record<string, string> = {}): Request {
  const bytes = new TextEncoder().encode(body);
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at += chunk));
    },
  });
  const init = { method: "POST", body: stream, headers: { "content-type": TYPE, ...headers } };
  return new Request("http://localhost/", init);
}

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

/** Content with everything that looks like the boundary. */
const CONTENT = `\r\n--${BOUNDARY.slice(0, -1)}\r\n\r\r\n----\r\n--${BOUNDARY.slice(0, 9)}é\r`;

Deno.test("fields and file are read the same however the body is cut", async () => {
  const body = field("title", "Grüße") + field("empty", "") + file("a b.pdf", CONTENT) + END;
  for (let chunk = 1; chunk < body.length + 10; chunk++) {
    const form = await readFileForm(request(body, chunk), LIMIT);
    assertEquals(form.fields, { title: "Grüße", empty: "" }, `chunks of ${chunk}`);
    assertEquals(form.file?.name, "a b.pdf");
    assertEquals(await textOf(form.file!.body), CONTENT, `chunks of ${chunk}`);
  }
});

Deno.test("a form that a browser sends is read", async () => {
  const data = new FormData();
  data.set("title", "Line\r\nbreak");
  data.set("file", new File(["content"], 'q"uote.txt'));
  const form = await readFileForm(new Request("http://a", { method: "POST", body: data }), LIMIT);
  assertEquals(form.fields, { title: "Line\r\nbreak" });
  assertEquals([form.file?.name, await textOf(form.file!.body)], ["q%22uote.txt", "content"]);
});

Deno.test("an empty file is returned, and a form without a chosen file has none", async () => {
  const empty = await readFileForm(request(file("a.txt", "") + END), LIMIT);
  assertEquals(await textOf(empty.file!.body), "");
  const none = await readFileForm(request(field("title", "x") + file("", "") + END), LIMIT);
  assertEquals(none, { fields: { title: "x" }, file: null });
});

const REJECTED: [title: string, request: () => Request, status: number][] = [
  ["another type", () => request("{}", 7, { "content-type": "application/json" }), 415],
  ["no boundary", () => request(END, 7, { "content-type": "multipart/form-data; a=b" }), 400],
  ["no body", () => request(""), 400],
  ["a body without an end", () => request(field("a", "b")), 400],
  ["a file without an end", () => request(file("a", "content")), 400],
  ["a field after the file", () => request(file("a", "b") + field("c", "d") + END), 400],
  ["a file without a name", () => request(file("", "content") + END), 400],
  ["two files", () => request(file("a", "b") + file("c", "d") + END), 400],
  ["too many fields", () => request(field("a", "b").repeat(21) + END), 400],
  ["a field that is too large", () => request(field("a", "b".repeat(70_000)) + END, 9999), 400],
  [
    "a declared length above the limit",
    () => request(END, 7, { "content-length": "9999999" }),
    413,
  ],
  ["more bytes than the limit", () => request(file("a", "b".repeat(LIMIT + 70_000)), 9999), 413],
];

for (const [title, make, status] of REJECTED) {
  Deno.test(`${title} returns ${status}`, async () => {
    const read = async () => {
      const { file } = await readFileForm(make(), LIMIT);
      await textOf(file!.body);
    };
    assertEquals((await assertRejects(read, RequestError)).status, status);
  });
}

Deno.test("the file is read only as fast as its reader asks for it", async () => {
  let pulled = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new TextEncoder().encode(pulled === 1 ? file("a", "") : "x".repeat(1000)));
    },
  }, { highWaterMark: 0 });
  const init = { method: "POST", body: stream, headers: { "content-type": TYPE } };
  const form = await readFileForm(new Request("http://a", init), LIMIT);
  const reader = form.file!.body.getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assertEquals(pulled <= 4, true, `${pulled} chunks`);
  await reader.cancel();
});

Deno.test("a client that is too slow gets a 408", async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(file("a", "b"))),
  });
  const init = { method: "POST", body, headers: { "content-type": TYPE } };
  const form = await readFileForm(new Request("http://a", init), LIMIT, 1);
  const error = await assertRejects(() => textOf(form.file!.body), RequestError);
  assertEquals(error.status, 408);
  await drain(form); // after an error, too
});
