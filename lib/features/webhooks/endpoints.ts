/** Adding, changing, pausing and removing webhooks. */
import { addAudit, type AuditAction } from "../audit/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { forgetDeliveries } from "../../platform/jobs/mod.ts";
import { inUnit, isoAfter, transact, type UnitOfWork } from "../../platform/kv/mod.ts";
import { checkedAddress, isPinnable } from "../../platform/http/pinned_fetch.ts";
import type { EndpointChange, NewEndpoint } from "./input.ts";
import type { WebhookOptions } from "./options.ts";
import { endAlert, paused, recovered } from "./pausing.ts";
import { POST_ERRORS, postErrorOf } from "./post.ts";
import { isForwarded, isOwnMachine, mayBeOwnMachine } from "./own_machine.ts";
import type { Queue } from "./queue.ts";
import {
  aboutEndpoint,
  BY_SLOT,
  deliveries,
  type EndpointRef,
  type EndpointRow,
  endpoints,
  heldCounts,
  listEndpoints,
  MAX_ENDPOINTS,
  type Mode,
  readEndpoint,
} from "./rows.ts";
import { firstSecret, newSecret, nextSecret } from "./secrets.ts";

/** The issuer and mode whose endpoints a caller may see. */
export type EndpointOwner = Pick<EndpointRow, "issuer" | "mode">;

/** The id of the API key that creates an endpoint, and whose it will be. */
export type EndpointCreator = EndpointOwner & { key: string };

type EndpointResult = { ok: true; endpoint: EndpointRow } | Failure;
/** The secret is in no other response. */
type SecretResult = { ok: true; endpoint: EndpointRow; secret: string } | Failure;

/** The email address of the administrator who acts in the console; null for the issuer's own key. */
type By = string | null;

/** How many rows are deleted in one commit. */
const BATCH = 500;

/** Creates the management of endpoints. Their ids lead to nothing without the issuer and mode that own them. */
export function createEndpoints(options: WebhookOptions, queue: Pick<Queue, "releaseSoon">) {
  const { kv, clock, secrets, network } = options;

  /** Checks the addresses that a URL leads to now. Each delivery checks them again. */
  async function checkUrl(url: string, mode: Mode): Promise<{ ok: true } | Failure> {
    const target = new URL(url);
    if (isOwnMachine(target)) {
      return mayBeOwnMachine(mode, options) ? { ok: true } : badUrl(NOT_HTTPS);
    }
    if (!isPinnable(target)) return badUrl(NOT_HTTPS);
    try {
      await checkedAddress(target.hostname, network);
      return { ok: true };
    } catch (error) {
      return badUrl(POST_ERRORS[postErrorOf(error)]);
    }
  }

  /** Returns an endpoint with a new URL, which is paused if the site cannot reach it. */
  const placed = (row: EndpointRow, now: number): EndpointRow =>
    isForwarded(row, options)
      ? paused(row, "own_machine", now)
      : row.reason === "own_machine"
      ? { ...row, state: "active", state_at: new Date(now).toISOString(), reason: null }
      : row;

  /** Changes an endpoint in one commit. */
  const change = (
    ref: EndpointRef,
    step: (
      row: EndpointRow,
      commit: Deno.AtomicOperation,
      now: number,
    ) => Promise<EndpointRow> | EndpointRow,
  ): Promise<EndpointResult> =>
    transact<EndpointResult>(async () => {
      const entry = await readEndpoint(kv, ref);
      if (entry.value === null) return { result: fail("not_found") };
      const commit = kv.atomic().check(entry);
      const endpoint = await step(entry.value, commit, clock());
      endpoints.set(commit, endpoint);
      return { result: { ok: true, endpoint }, commit };
    });

  function audit(
    commit: Deno.AtomicOperation,
    by: By,
    action: AuditAction,
    { issuer, id }: EndpointRef,
    now: number,
  ): void {
    if (by === null) return;
    const about = { object: { issuer }, detail: id };
    addAudit(commit, { organisation: "commercial", by, action, ...about }, now);
  }

  async function remove(ref: EndpointRef, by: By): Promise<{ ok: true } | Failure<"not_found">> {
    const removed = await transact(async () => {
      const entry = await readEndpoint(kv, ref);
      if (entry.value === null) return { result: false };
      const now = clock();
      const commit = kv.atomic().check(entry);
      endpoints.delete(commit, entry.value);
      audit(commit, by, "webhook_removed", ref, now);
      await endAlert(kv, commit, entry.value, now);
      return { result: true, commit };
    });
    if (!removed) return fail("not_found");
    await eraseOf(kv, ref);
    return { ok: true };
  }

  const write = {
    /** Adds an endpoint whose URL was checked to a unit, and returns its secret. */
    async create(
      { commit, now }: UnitOfWork,
      { key, ...owner }: EndpointCreator,
      input: NewEndpoint,
    ): Promise<SecretResult> {
      const taken = await Array.fromAsync(
        kv.list({ prefix: [BY_SLOT, owner.issuer, owner.mode] }),
        ({ key }) => Number(key[3]),
      );
      const slot = Array.from({ length: MAX_ENDPOINTS }, (_, i) => i)
        .find((each) => !taken.includes(each));
      if (slot === undefined) return fail("conflict", { message: TOO_MANY });
      const at = isoAfter(now, 0);
      const ref = { ...owner, id: crypto.randomUUID() };
      const secret = newSecret();
      const endpoint = placed({
        ...ref,
        slot,
        ...input,
        keys: { created: key, url: key, secret: key },
        ...await firstSecret(secrets, ref, secret),
        state: "active",
        state_at: at,
        reason: null,
        failures: 0,
        failing_since: null,
        probe_at: null,
        created_at: at,
      }, now);
      const place = [BY_SLOT, owner.issuer, owner.mode, slot];
      endpoints.set(commit.check({ key: place, versionstamp: null }), endpoint);
      return { ok: true, endpoint, secret };
    },
  };

  return {
    list: ({ issuer, mode }: EndpointOwner): Promise<EndpointRow[]> =>
      listEndpoints(kv, issuer, mode),
    async read(ref: EndpointRef): Promise<EndpointResult> {
      const { value: endpoint } = await readEndpoint(kv, ref);
      return endpoint === null ? fail("not_found") : { ok: true, endpoint };
    },
    checkUrl,
    write,
    /** Adds an endpoint, and returns its secret. */
    async create(creator: EndpointCreator, input: NewEndpoint): Promise<SecretResult> {
      const checked = await checkUrl(input.url, creator.mode);
      if (!checked.ok) return checked;
      return await inUnit(options, (unit) => write.create(unit, creator, input));
    },
    /**
     * Changes the URL, description or types of events. A new URL begins without failures.
     *
     * @param key the id of the API key that changes it
     */
    async update(ref: EndpointRef, input: EndpointChange, key: string): Promise<EndpointResult> {
      const checked = input.url === undefined
        ? { ok: true as const }
        : await checkUrl(input.url, ref.mode);
      if (!checked.ok) return checked;
      const { url } = input;
      const result = await change(
        ref,
        (row, _, now) =>
          url === undefined || url === row.url
            ? { ...row, ...input }
            : placed({ ...recovered(row), keys: { ...row.keys, url: key }, ...input }, now),
      );
      if (result.ok) queue.releaseSoon(ref);
      return result;
    },
    /** Replaces the secret, and returns the new one. The previous one signs for 24 hours more, if it may. */
    async rotate(ref: EndpointRef, keepPrevious: boolean, key: string): Promise<SecretResult> {
      const secret = newSecret();
      const result = await change(ref, async (row, _, now) => ({
        ...row,
        keys: { ...row.keys, secret: key },
        ...await nextSecret(secrets, row, { secret, keepPrevious, now }),
      }));
      return result.ok ? { ...result, secret } : result;
    },
    /** Pauses an endpoint. Its events are held. */
    pause: (ref: EndpointRef, by: By): Promise<EndpointResult> =>
      change(ref, (row, commit, now) => {
        if (row.state === "paused") return row;
        audit(commit, by, "webhook_paused", ref, now);
        return paused(row, by === null ? "issuer" : "administrator", now);
      }),
    /** Resumes an endpoint, and sends the events that were held, unless it is on the developer's own machine. */
    async resume(ref: EndpointRef, by: By): Promise<EndpointResult> {
      const result = await change(ref, async (row, commit, now) => {
        if (isForwarded(row, options)) return row;
        if (row.state === "active") return recovered(row);
        audit(commit, by, "webhook_resumed", ref, now);
        await endAlert(kv, commit, row, now);
        const state_at = new Date(now).toISOString();
        return { ...recovered(row), state: "active", state_at, reason: null };
      });
      if (result.ok) queue.releaseSoon(ref);
      return result;
    },
    /** Removes an endpoint with everything that is stored for it. */
    remove,
    /** Removes all endpoints of an issuer that no longer exists. */
    async removeAll(issuer: string): Promise<void> {
      for (const mode of ["live", "test"] as Mode[]) {
        for (const { id } of await listEndpoints(kv, issuer, mode)) {
          await remove({ issuer, mode, id }, null);
        }
      }
    },
  };
}

export type Endpoints = ReturnType<typeof createEndpoints>;

/** Deletes what is stored for an endpoint that was removed. Attempts in progress store nothing more. */
async function eraseOf(kv: Deno.Kv, { issuer, mode, id }: EndpointRef): Promise<void> {
  await forgetDeliveries(kv, aboutEndpoint(id));
  let commit = kv.atomic().delete(heldCounts.key(issuer, mode, id));
  let count = 0;
  for await (const { key } of deliveries.list(kv, [id], { batchSize: BATCH })) {
    commit.delete(key);
    if (++count % BATCH === 0) {
      await commit.commit();
      commit = kv.atomic();
    }
  }
  await commit.commit();
}

const badUrl = (problem: string) => fail("invalid_request", { issues: { url: problem } });

const NOT_HTTPS = "Enter an https address with a host name, on port 443.";
const TOO_MANY = `There can be at most ${MAX_ENDPOINTS} webhooks. Remove one first.`;
