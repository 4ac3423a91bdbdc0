import { assert, assertEquals } from "@std/assert";
import { actAs } from "../lib/platform/kv/mod.ts";
import { SECOND_MS } from "../lib/base/time.ts";
import { authoritySite, type Sender } from "./authority_site.ts";
import { isDiscarded } from "./parked_request.ts";
import { ELSEWHERE, type Example, EXAMPLES } from "./authority_examples.ts";
import { readUnsafeRoutes } from "./unsafe_routes.ts";

const world = await authoritySite();
const { senders } = world;

/**
 * Registers a test that begins outside any request, because Deno can begin one in the scope of an earlier
 * request.
 */
const test = (name: string, run: () => Promise<void>) =>
  Deno.test(name, async () => {
    await actAs(undefined, run);
    assertEquals(world.late, []);
  });

const patternOf = (name: string) => name.split(" ", 1)[0];

test("each route that changes something demands an authority, for which there is an example, or says why it demands none", async () => {
  const played = new Set([...Object.keys(EXAMPLES).map(patternOf), ...Object.keys(ELSEWHERE)]);
  const demanding = [...await readUnsafeRoutes()]
    .flatMap(([pattern, { noAuthority }]) => noAuthority === undefined ? [pattern] : []);
  assertEquals(
    demanding.filter((pattern) => !played.has(pattern)),
    [],
    "Add an example to tests/authority_examples.ts, or `noAuthority` to the route's properties.",
  );
});

const sender = ({ by }: Example): Promise<Sender> =>
  by === "testKey" ? senders.key("test") : senders[by as Exclude<Example["by"], "testKey">]();

/**
 * Sends a request whose authority ends while its body arrives, and then the whole request.
 *
 * @param slowly true if the body takes longer than a second
 */
async function attack(example: Example, { how, slowly }: { how?: string; slowly: boolean }) {
  const from = await sender(example);
  const request = await example.request(world, from);
  await world.settled();
  const parked = await world.park(request.path, from, request);
  await (how === undefined ? Object.values(from.ends)[0] : from.ends[how])();
  await world.settled();
  if (slowly) world.clock.now += 2 * SECOND_MS;
  let response!: Response;
  const rows = await world.changedBy(async () => {
    response = await parked.finish();
    await response.body?.cancel();
    await world.settled();
  });
  const again = await (await world.park(request.path, from, request)).finish();
  await again.body?.cancel();
  return {
    outcome: [response.status, response.headers.get("location")],
    expected: [again.status, again.headers.get("location")],
    changed: rows.filter((row) => !isDiscarded(row)),
  };
}

const REFUSED = [302, 303, 401, 403];

for (const [name, example] of Object.entries(EXAMPLES)) {
  test(`${name} refuses a sender whose authority ends while the body arrives, and no other`, async () => {
    // Without a commit, only a body that took long is noticed.
    const slowly = example.onlyReads ?? false;
    const { outcome, expected, changed } = await attack(example, { slowly });
    assertEquals(changed, []);
    assertEquals(outcome, expected);
    assert(REFUSED.includes(Number(outcome[0])), `${outcome}`);
    const from = await sender(example);
    const request = await example.request(world, from);
    const response = await (await world.park(request.path, from, request)).finish();
    const text = (await response.text()).slice(0, 300);
    if (example.status !== undefined) assertEquals(response.status, example.status, text);
    else assert(response.status < 400, `${response.status} ${text}`);
    await world.settled();
  });
}

/** Three routes of each kind, of which every way of ending is tried. */
const THREE = {
  operator: ["/console/issuers", "/console/team", "/console/records/:hash/documents"],
  holder: ["/my-record/declaration", "/my-record/notifications", "/api/push/register"],
  key: ["/api/documents", "/api/documents/:id/versions", "/api/documents/webhooks"],
  app: ["/api/push/register by an app"],
};

async function assertUnchanged(example: Example, how: string): Promise<void> {
  const { outcome: [status], changed } = await attack(example, { how, slowly: false });
  assertEquals(changed, []);
  // An erased record is not found.
  assert([...REFUSED, 404].includes(Number(status)), `${status}`);
}

for (const name of Object.values(THREE).flat()) {
  const example = EXAMPLES[name];
  const { ends } = await sender(example);
  for (const how of Object.keys(ends)) {
    test(`${name} changes nothing if ${how} while the body arrives`, () =>
      assertUnchanged(example, how));
  }
}
