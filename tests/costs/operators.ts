/** Requests that an operator sends rarely, such as joining a team, whose costs are counted. */
import { Authenticator } from "../../lib/features/passkeys/testing/authenticator.ts";
import { normaliseEmail } from "../../lib/base/email.ts";
import { CONFIRM, REGISTER, SIGN_IN } from "../operator_passkey_site.ts";
import { CONSOLES, PEOPLE } from "../separation_site.ts";
import { statusOf } from "../contact_site.ts";
import { type CostRequest, type CostRequests, initOf } from "./requests.ts";
import type { ConsoleSite } from "./sites.ts";

const ON = CONSOLES.commercial;
const PASSKEYS = "/console/team/passkeys";

/** The requests that an operator sends once or rarely: joining, passkeys, adding an issuer. */
export function operatorActions(
  { site, site: { services }, mails, clock, ids }: ConsoleSite,
): CostRequests {
  let number = 0;
  const signIn = async (email: string) => {
    clock.now += 1_000;
    const link = { email: normaliseEmail(email)!, surface: ON };
    const { token } = await services.auth.issueLink(link);
    return `app_session=${(await services.auth.verify(token, ON))!.sessionId}`;
  };
  const form = (path: string, form: Record<string, string>, cookie: string): CostRequest => ({
    on: ON,
    path,
    form,
    cookie,
  });
  const json = (path: string, json: unknown, cookie?: string): CostRequest => ({
    on: ON,
    path,
    json,
    cookie,
  });
  const send = (request: CostRequest) => {
    const init = initOf(request);
    const { origin } = new URL(services.surfaces.url(ON, "/")!);
    return site.request(ON, request.path, { ...init, headers: { ...init.headers, origin } });
  };
  const invite = async () =>
    form("/console/team", {
      act: "invite",
      email: `colleague${++number}@example.org`,
      layer: "L2",
    }, await signIn(PEOPLE.L1));
  const invited = async () => {
    const request = await invite();
    await statusOf(send(request));
    const { email } = request.form as Record<string, string>;
    const { link } = (await mails()).find(({ to }) => to === email)!;
    const token = new URL(link!).searchParams.get("token")!;
    return { token, cookie: await signIn(email) };
  };
  const options = async (path: string, cookie?: string) => {
    const response = await send(json(path, {}, cookie));
    const [browser] = response.headers.getSetCookie().map((set) => set.split(";")[0]);
    return { options: await response.json(), browser };
  };
  const own = new Authenticator(services.surfaces.get(ON)!.baseUrl);
  /** Uses the passkey in a new session. */
  const confirmation = async () => {
    const cookie = await signIn(PEOPLE.L1);
    const response = await own.signIn((await options(CONFIRM, cookie)).options);
    return json(CONFIRM, { response }, cookie);
  };
  const joinPage = async () => {
    const { token, cookie } = await invited();
    return { on: ON, path: `/console/team/join?token=${token}`, cookie } as const;
  };
  return {
    [`${ON} POST /console/team, invite`]: invite,
    [`${ON} /console/team/join?token=…`]: joinPage,
    [`${ON} POST /console/team/join`]: async () => {
      const { token, cookie } = await invited();
      return form("/console/team/join", { token }, cookie);
    },
    [`${ON} /console/inbox/…/reply`]: async () => ({
      on: ON,
      path: `/console/inbox/${ids.commercial.record}/reply`,
      cookie: await signIn(PEOPLE.L1),
    }),
    [`${ON} POST /console/issuers`]: async () =>
      form("/console/issuers", { name: `College ${++number}` }, await signIn(PEOPLE.L1)),
    [`${ON} ${PASSKEYS}`]: async () => ({
      on: ON,
      path: PASSKEYS,
      cookie: await signIn(PEOPLE.L1),
    }),
    // From then on, the operator has a passkey.
    [`${ON} POST ${REGISTER}`]: {
      once: async () => {
        const cookie = await signIn(PEOPLE.L1);
        const response = await own.register((await options(REGISTER, cookie)).options);
        return json(REGISTER, { response }, cookie);
      },
    },
    [`${ON} POST ${CONFIRM}`]: confirmation,
    [`${ON} POST ${SIGN_IN}`]: async () => {
      const { options: asked, browser } = await options(SIGN_IN);
      return json(SIGN_IN, { response: await own.signIn(asked) }, browser);
    },
    [`${ON} POST ${PASSKEYS}, rename`]: async () => {
      const request = await confirmation();
      await statusOf(send(request));
      const { cookie } = request;
      const rows = services.kv.list({ prefix: ["operator_passkeys"] });
      const [id] = await Array.fromAsync(rows, ({ key }) => String(key[1]));
      return form(PASSKEYS, { act: "rename", id, name: `Mine ${++number}` }, cookie!);
    },
  };
}
