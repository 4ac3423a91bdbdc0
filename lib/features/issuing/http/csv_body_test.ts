import { assertEquals, assertRejects } from "@std/assert";
import { RequestError } from "../../../platform/http/errors.ts";
import { keepCsv, receiveCsv } from "./csv_body.ts";

const MIB = 1024 * 1024;
const URL_OF = "https://api.example/api/batches";

Deno.test("a CSV file of more than 8 MiB is not read to its end", async () => {
  let sent = 0;
  async function* body() {
    while (sent < 20) {
      sent++;
      yield await Promise.resolve(new Uint8Array(MIB));
    }
  }
  const req = new Request(URL_OF, { method: "POST" });
  const { status } = await assertRejects(() => keepCsv(req, body()), RequestError);
  assertEquals([status, sent], [413, 9]);
});

Deno.test("a CSV file that is sent as the parameter `body` is refused", async () => {
  const req = new Request(`${URL_OF}?body=${encodeURIComponent("name,email\n")}`, {
    method: "POST",
    body: "name,email\n",
    headers: { "content-type": "text/csv" },
  });
  const use = () => Promise.resolve({ response: new Response(), kept: false });
  const { status, issues } = await assertRejects(() => receiveCsv(req, use), RequestError);
  assertEquals([status, Object.keys(issues!)], [400, ["body"]]);
});
