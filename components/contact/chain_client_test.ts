import { assert, assertEquals, assertRejects } from "@std/assert";
import type { LinkedEvent } from "../../packages/proof/mod.ts";
import { HASH, makeChain } from "../../lib/features/chain/testing/fixtures.ts";
import { ChainRewritten, createChainClient } from "./chain_client.ts";
import { readMessages } from "./event_stream.ts";

const chain = await makeChain(HASH, 10);
const other = await makeChain("d".repeat(64), 10);

/** Creates a client and records the queries that it sends. */
function clientOf(respond: (query: string, accept: string) => Response) {
  const asked: string[] = [];
  const client = createChainClient(`https://api.example/api/chain/${HASH}`, {
    fetch: (url, init) => {
      const { search } = new URL(String(url));
      asked.push(search);
      return Promise.resolve(respond(search, new Headers(init?.headers).get("accept")!));
    },
    signal: new AbortController().signal,
  });
  return { client, asked };
}

const page = (events: unknown[]) => Response.json({ events });
const seqsOf = (events: LinkedEvent[]) => events.map(({ seq }) => seq);

Deno.test("a chain client asks by seq, with the hash of its last event", async () => {
  const { client, asked } = clientOf((query) =>
    page(query.includes("after") ? chain.slice(3, 5) : chain.slice(5, 8))
  );
  assertEquals(seqsOf(await client.after(chain[2])), [3, 4]);
  assertEquals(seqsOf(await client.before(chain[8])), [5, 6, 7]);
  assertEquals(seqsOf(await client.newest()), [5, 6, 7]);
  assertEquals(asked, [
    `?after=2&tip=${chain[2].hash}&limit=100`,
    "?before=8&limit=100",
    "?limit=5",
  ]);
  assertEquals(await clientOf(() => page([])).client.after(chain[2]), []);
});

Deno.test("a chain client rejects gaps, errors, and events whose hash or link is wrong", async () => {
  const altered = { ...chain[3], kind: "sms_confirmed" };
  for (
    const response of [
      () => page([chain[4]]),
      () => page([altered]),
      () => page([chain[3], { ...chain[4], prev: chain[2].hash }]),
      () => page([chain[3], chain[5]]),
      () => page([{ ...chain[3], prev: "x" }]),
      () => page([{ seq: 3 }]),
      () => Response.json({}),
      () => Response.json({ error: "not_found" }, { status: 404 }),
      () => new Response("no", { status: 500 }),
    ]
  ) {
    const error = await assertRejects(() => clientOf(response).client.after(chain[2]));
    assert(!(error instanceof ChainRewritten), `${error}`);
  }
  for (const events of [[], chain.slice(2, 4), [altered, chain[4]]]) {
    await assertRejects(() => clientOf(() => page(events)).client.before(chain[5]));
  }
  // Event 0 follows the record's hash.
  await assertRejects(() => clientOf(() => page(other.slice(0, 1))).client.newest());
});

Deno.test("409, and events that follow another event, mean that the chain was rewritten", async () => {
  for (
    const response of [
      () => Response.json({ error: "chain_rewritten" }, { status: 409 }),
      () => page(other.slice(3, 5)),
    ]
  ) {
    await assertRejects(() => clientOf(response).client.after(chain[2]), ChainRewritten);
  }
  const { client } = clientOf(() => page(other.slice(3, 5)));
  await assertRejects(() => client.before(chain[5]), ChainRewritten);
});

const encode = (text: string) => new TextEncoder().encode(text);

const messageOf = (event: LinkedEvent) =>
  `id: ${event.seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`;

const streamOf = (text: string) =>
  new Response(text, { headers: { "content-type": "text/event-stream" } });

/** Reads a stream to its end, and returns the batches of seqs. */
async function follow(respond: (query: string, accept: string) => Response) {
  const { client, asked } = clientOf(respond);
  const received: number[][] = [];
  let opened = 0;
  const end = await client.stream(chain[2], {
    onOpen: () => opened++,
    onEvents: (events) => received.push(seqsOf(events)),
    signal: new AbortController().signal,
  });
  return { end, received, asked, opened };
}

Deno.test("a stream delivers each new event once, and repairs a gap with one request", async () => {
  const text = "retry: 3000\nid: 2\n\n:\n\n" +
    [2, 3, 6, 6, 5, 7].map((seq) => messageOf(chain[seq])).join("");
  const { end, received, asked, opened } = await follow((_, accept) =>
    accept === "text/event-stream" ? streamOf(text) : page(chain.slice(4, 7))
  );
  assertEquals([end, opened], ["ended", 1]);
  assertEquals(received, [[3], [4, 5, 6], [7]]);
  assertEquals(asked, [
    `?after=2&tip=${chain[2].hash}`,
    `?after=3&tip=${chain[3].hash}&limit=100`,
  ]);
});

Deno.test("a stream reports a kind of event that it does not know", async () => {
  const { linkEvent } = await import("../../packages/proof/mod.ts");
  const kind = "a_new_kind" as "record_verified";
  const event = await linkEvent(chain[2].hash, { ...chain[3], kind });
  assertEquals((await follow(() => streamOf(messageOf(event)))).received, [[3]]);
});

Deno.test("204 means that there are no streams; other responses are refusals", async () => {
  const cases: [Response, string][] = [
    [new Response(null, { status: 204 }), "off"],
    [Response.json({ error: "rate_limited" }, { status: 429 }), "refused"],
    [new Response("down", { status: 503 }), "refused"],
    [page([]), "refused"],
  ];
  for (const [response, expected] of cases) {
    const { end, opened } = await follow(() => response);
    assertEquals([end, opened], [expected, 0]);
  }
});

Deno.test("a stream of a rewritten chain, or with a wrong hash, fails and delivers nothing", async () => {
  const rewritten = [
    () => Response.json({ error: "chain_rewritten" }, { status: 409 }),
    () => streamOf("event: chain_rewritten\ndata: {}\n\n"),
    () => streamOf(messageOf(other[3])),
  ];
  for (const respond of rewritten) await assertRejects(() => follow(respond), ChainRewritten);
  const altered = { ...chain[3], at: chain[4].at };
  const error = await assertRejects(() => follow(() => streamOf(messageOf(altered))));
  assert(!(error instanceof ChainRewritten));
});

Deno.test("readMessages() reads messages in any pieces, and rejects one that is too long", async () => {
  const text = '\ufeff: comment\r\n\r\nevent: a\r\ndata: {"é":\r\ndata:1}\r\n\r\nid: 7\n\n' +
    "event: b\ndata: 2\n\ndata: unfinished";
  const bytes = encode(text);
  for (const size of [1, 2, 7, bytes.length]) {
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size));
        controller.close();
      },
    });
    const read = await Array.fromAsync(readMessages(body, () => pieces++));
    assertEquals(read, [{ event: "a", data: { "é": 1 } }, { event: "b", data: 2 }], `${size}`);
    assertEquals(pieces, Math.ceil(bytes.length / size));
  }
  const long = new Response("data: " + "x".repeat(70_000)).body!;
  await assertRejects(() => Array.fromAsync(readMessages(long, () => {})));
});
