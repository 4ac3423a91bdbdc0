import { assertEquals, assertRejects } from "@std/assert";
import { Actor } from "../kv/mod.ts";
import { RequestError } from "./errors.ts";
import { limitDownload } from "./limited_body.ts";
import { LoggedError } from "./serve.ts";

const CHUNK = 256 * 1024;

/** A download of ten chunks, whose reader is asked for an authority that can end. */
function fixture(headers: Record<string, string> = { "content-disposition": "attachment" }) {
  const clock = { now: 0 };
  const state = { ended: false, asked: 0, error: new RequestError(401) as Error };
  const actor = new Actor(undefined, null, () => clock.now);
  actor.demand({
    ask() {
      if (state.ended) throw state.error;
      return { rows: [], until: Infinity };
    },
    read: () => Promise.resolve(void state.asked++),
  });
  actor.end();
  let sent = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (sent++ === 10) controller.close();
      else controller.enqueue(new Uint8Array(CHUNK));
    },
  }, { highWaterMark: 0 });
  const response = limitDownload(new Response(body, { headers }), actor);
  return { clock, state, reader: response.body!.getReader() };
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
  }
  return size;
}

Deno.test("a download asks for the authority again for each megabyte, and each page of rows of a CSV file", async () => {
  const file = fixture();
  assertEquals([await readAll(file.reader), file.state.asked], [10 * CHUNK, 2]);
  const rows = fixture({ "content-disposition": "attachment", "content-type": "text/csv" });
  assertEquals([await readAll(rows.reader), rows.state.asked], [10 * CHUNK, 10]);
  const page = fixture({ "content-type": "text/html" });
  page.state.ended = true;
  assertEquals(await readAll(page.reader), 10 * CHUNK);
});

Deno.test("a page is returned without asking for its body, which would make a stream of it", () => {
  const actor = new Actor(undefined);
  actor.demand({ ask: () => ({ rows: [], until: Infinity }), read: () => Promise.resolve() });
  const page = new Response("page");
  Object.defineProperty(page, "body", {
    get() {
      throw new Error("asked for its body");
    },
  });
  assertEquals(limitDownload(page, actor), page);
});

Deno.test("a download ends with the authority, within a megabyte or two seconds", async () => {
  const quick = fixture();
  await quick.reader.read();
  quick.state.ended = true;
  await assertRejects(() => readAll(quick.reader), LoggedError);
  const slow = fixture();
  await slow.reader.read();
  slow.state.ended = true;
  slow.clock.now = 2000;
  await assertRejects(() => slow.reader.read(), LoggedError);
});

Deno.test("a download whose reader cannot be asked ends in the error, which is logged", async () => {
  const file = fixture();
  await file.reader.read();
  Object.assign(file.state, { ended: true, error: new TypeError("of a test") });
  await assertRejects(() => readAll(file.reader), TypeError, "of a test");
});
