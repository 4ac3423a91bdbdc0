/** Requests that a holder sends rarely, such as removing a passkey, whose costs are counted. */
import { createECDH } from "node:crypto";
import { HOLDERS } from "../../lib/features/passkeys/mod.ts";
import { Authenticator } from "../../lib/features/passkeys/testing/authenticator.ts";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { PERSON, statusOf } from "../contact_site.ts";
import { beginRequest } from "../oauth_site.ts";
import { REGISTER } from "../passkey_site.ts";
import { mailedToken, READER } from "./actions.ts";
import type { CostRequest, CostRequests } from "./requests.ts";
import type { PeopleSite } from "./sites.ts";

let people = 0;
const newPerson = () => ({ ...PERSON, email: `rare${++people}@example.org` });

/** The public key of a browser's subscription. */
const POINT = createECDH("prime256v1").generateKeys("base64url");

/** Actions of holders that happen rarely. */
export function rareActions(fixture: PeopleSite): CostRequests {
  const { site, site: { services }, filled: { client } } = fixture;
  const form = (path: string, form: Record<string, string>, cookie?: string): CostRequest => ({
    on: "trust",
    path,
    form,
    cookie,
  });
  const passkey = async () => {
    const { hash, cookie } = await fixture.holder(newPerson());
    const post = (json: unknown) => fixture.fetch(REGISTER, { cookie, json });
    const authenticator = new Authenticator(services.surfaces.get("trust")!.baseUrl);
    const response = await authenticator.register(await (await post({})).json());
    await statusOf(post({ response }));
    const [{ id }] = await HOLDERS.list(services.kv, { contact_hash: hash });
    return { id, cookie };
  };
  const undo = async () => {
    const { hash } = await fixture.holder(newPerson());
    unwrap(await services.records.deletion.request(hash, READER));
    return { hash, token: await mailedToken(fixture, "/my-record/undo?") };
  };
  /** Asks for a sign-in with the request of an app, and opens the mailed link in another browser. */
  const linkCode = async () => {
    const person = newPerson();
    await fixture.holder(person);
    const { request } = await beginRequest(site, client, { scope: "record" });
    const asked = await fixture.fetch("/my-record/sign-in", {
      form: { email: person.email, request },
    });
    await statusOf(asked);
    const [browser] = asked.headers.getSetCookie().map((set) => set.split(";")[0]);
    const token = await mailedToken(fixture, "/my-record/link?");
    const page = await (await fixture.fetch("/my-record/link", { form: { token } })).text();
    const code = /<span>(\d{3})<\/span><span>(\d{3})<\/span>/.exec(page)!.slice(1).join("");
    return form("/my-record/authorize/code", { request, code }, browser);
  };
  const subscription = () => ({
    endpoint: `https://fcm.googleapis.com/fcm/send/${++people}`,
    expirationTime: null,
    keys: { p256dh: POINT, auth: "A".repeat(22) },
    vapid: POINT,
  });
  const subscribe = (json: unknown, cookie: string) =>
    ({ on: "trust", path: "/api/push/subscribe", json, cookie }) as const;
  return {
    "trust POST /my-record/authorize/code": linkCode,
    "trust POST /my-record/undo": async () =>
      form("/my-record/undo", { token: (await undo()).token }),
    "trust POST /my-record/undo, complete the deletion": async () => {
      const { hash, token } = await undo();
      return form("/my-record/undo", { act: "delete", digits: hash.slice(-4), token });
    },
    "trust POST /my-record/passkeys, rename": async () => {
      const { id, cookie } = await passkey();
      return form("/my-record/passkeys", { act: "rename", id, name: "Mine" }, cookie);
    },
    "trust POST /my-record/passkeys, remove": async () => {
      const { id, cookie } = await passkey();
      return form("/my-record/passkeys", { act: "remove", id }, cookie);
    },
    "trust POST /api/push/subscribe": async () =>
      subscribe(subscription(), (await fixture.holder(newPerson())).cookie),
    "trust DELETE /api/push/subscribe": async () => {
      const { cookie } = await fixture.holder(newPerson());
      const json = subscription();
      await statusOf(fixture.fetch("/api/push/subscribe", { cookie, json }));
      return { ...subscribe({ endpoint: json.endpoint }, cookie), method: "DELETE" };
    },
  };
}
