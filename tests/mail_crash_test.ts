import { assert, assertEquals } from "@std/assert";
import { CLAIM_MS } from "../lib/platform/jobs/mod.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { mortalKv } from "../lib/platform/kv/testing/dying_kv.ts";
import { spawnChild } from "../lib/platform/kv/testing/spawn_child.ts";
import { tempKv, valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { createServices } from "../lib/app/services.ts";
import { requestForever } from "./mail_crash_child.ts";
import { crashConfig } from "./mail_crash_config.ts";
import { startMortal } from "./mortal_process.ts";
import { serve } from "./site.ts";

/** `MAIL_KILLS=100 deno task test tests/mail_crash_test.ts` takes about a minute. */
const KILLS = Number(Deno.env.get("MAIL_KILLS") ?? 6);

/** When a process is killed: after an enquiry, or while sending a mail. */
const MOMENTS = ["registered", "before acceptance", "after acceptance"] as const;

const random = (max: number) => 1 + Math.floor(Math.random() * max);

/** A process that is killed while it sends a mail. */
interface Victim {
  kill(): void;
  moment: typeof MOMENTS[number];
  mails: number;
}

/** A fake mail provider that kills the process that sends it a certain mail. */
function startProvider() {
  const accepted: string[] = [];
  let victim: Victim | undefined;
  const server = serve(async (request) => {
    const mail = await request.json().catch(() => null);
    if (mail === null) return new Response(null, { status: 400 }); // its sender was killed
    const last = victim !== undefined && --victim.mails === 0;
    if (last && victim?.moment === "before acceptance") {
      victim.kill();
      return new Response(null, { status: 500 });
    }
    accepted.push(mail.subject + mail.text);
    if (last && victim?.moment === "after acceptance") victim.kill();
    return new Response();
  });
  return {
    url: `http://127.0.0.1:${server.port}/send`,
    accepted,
    watch: (next: Victim | undefined) => void (victim = next),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

interface Run {
  path: string;
  mailApi: string;
  prefix: string;
  /** After how many enquiries the process is killed, unless it was killed before. */
  enquiries: number;
  watch(kill: () => void): void;
}

/** Runs a process of its own until it is killed. */
async function runChild({ path, mailApi, prefix, enquiries, watch }: Run): Promise<void> {
  const script = import.meta.resolve("./mail_crash_child.ts");
  await using child = await spawnChild(script, path, mailApi, prefix);
  watch(child.kill);
  await child.go();
  while (await child.next() !== undefined) if (--enquiries === 0) child.kill();
}

/** Does the same in this process, which takes a tenth of the time. */
async function runHere({ path, mailApi, prefix, enquiries, watch }: Run): Promise<void> {
  const mortal = mortalKv(await openKv(path));
  const process = startMortal({ path, mailApi, mortal });
  watch(mortal.die);
  await process.run(() =>
    requestForever(process.services, prefix, () => {
      if (--enquiries === 0) mortal.die();
    })
  );
}

Deno.test(`${KILLS} kills of a mailing process lose no mail and send none more than twice`, async () => {
  await using store = await tempKv();
  await using provider = startProvider();
  for (let kill = 0; kill < KILLS; kill++) {
    const moment = MOMENTS[kill % MOMENTS.length];
    const watch = (kill: () => void) =>
      moment !== "registered" && provider.watch({ kill, moment, mails: random(30) });
    const enquiries = moment === "registered" ? random(10) : Infinity;
    const run = kill === 0 ? runChild : runHere;
    await run({
      path: store.path,
      mailApi: provider.url,
      prefix: `kill-${kill}`,
      enquiries,
      watch,
    });
    provider.watch(undefined);
  }
  const beforeRestart = provider.accepted.length;

  // The last process is not killed.
  const clock = { ahead: 0 };
  const services = createServices(crashConfig(store.path, provider.url), await openKv(store.path), {
    clock: () => Date.now() + clock.ahead,
  });
  clock.ahead = CLAIM_MS;
  await services.jobs.run("mail");
  await services.close();

  const times = new Map<string, number>();
  for (const text of provider.accepted) {
    const token = /[?]token=([\w-]{43})/.exec(text)?.[1];
    if (token === undefined) continue; // a digest
    const mail = sha256(token);
    times.set(mail, (times.get(mail) ?? 0) + 1);
  }
  const links = await valuesOf<{ token: string }>(store.kv, "magic_tokens");
  const confirmations = await valuesOf<{ token: string }>(store.kv, "contact_confirmations");
  const committed = [...links, ...confirmations].map(({ token }) => token);
  const lost = committed.filter((mail) => !times.has(mail));
  const most = Math.max(...times.values());
  if (Deno.env.has("MAIL_KILLS")) {
    const twice = [...times.values()].filter((count) => count === 2).length;
    const late = provider.accepted.length - beforeRestart;
    const figures = { kills: KILLS, committed: committed.length, late, lost: lost.length, twice };
    console.log({ ...figures, most });
  }
  assertEquals(lost, []);
  assertEquals(times.size, committed.length, "a mail was sent whose commit failed");
  assert(most <= 2, `a mail was sent ${most} times`);
  for (const prefix of ["outbox", "outbox_dead"]) {
    assertEquals(await valuesOf(store.kv, prefix), []);
  }
});
