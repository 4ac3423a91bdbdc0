/** Requests for the pages of holders, recipients and users, whose costs are counted. */
import { revocationPath } from "../../lib/features/issuers/revocation_link.ts";
import { lookAt } from "../filled_site.ts";
import { PERSON, statusOf } from "../contact_site.ts";
import { stopLinkOf } from "../key_site.ts";
import { type CostRequests, notModified, pages, same, STREAM } from "./requests.ts";
import type { PeopleSite } from "./sites.ts";

const pathIn = ({ pathname, search }: URL) => pathname + search;

/** Returns the form that corrects a person's record. */
export const correctionForm = (person: typeof PERSON, changes: Record<string, string>) => ({
  name: person.name,
  organisation: person.organisation,
  email: person.email,
  mobile_country: person.mobile.country,
  mobile_number: person.mobile.number,
  enquiry_type: person.enquiry_type,
  message: person.message,
  ...changes,
});

/** Pages that an emailed link opens. */
export async function linkPages(fixture: PeopleSite): Promise<CostRequests> {
  const { filled: { links, offer, keys }, site: { services } } = fixture;
  const person = { ...PERSON, email: "corrector@example.org" };
  const { cookie } = await fixture.holder(person);
  const form = correctionForm(person, { email: "corrected@example.org" });
  await statusOf(fixture.fetch("/my-record/correct", { cookie, form }));
  const correction = (await fixture.mails()).find(({ link }) => link?.includes("/confirm?"))!;
  return pages("trust", {
    "/confirm?token=…": pathIn(links.confirmation),
    "/confirm?token=… of a correction": pathIn(new URL(correction.link!)),
    "/my-record/link?token=…": pathIn(links.signIn),
    "/d/request?token=…": pathIn(links.asked),
    "/my-record/undo?token=…": pathIn(links.undo),
    "/keys/revoke?of=…&token=…": await revocationPath(services.secrets, keys[0]),
    "/keys/stop?of=…&token=…": await stopLinkOf(services, "Stoppable"),
    "/accept?of=…&token=…": `/accept?${new URLSearchParams(offer)}`,
  });
}

/** Pages of a recipient whose browser remembers the mailed link. */
export async function recipientPages(
  { filled: { offer }, site: { services } }: PeopleSite,
): Promise<CostRequests> {
  const { path, cookie } = await lookAt(services, offer);
  return pages(
    "trust",
    { ...same("/accept"), "/accept/…": path, "/accept/…/file": `${path}/file` },
    {
      cookie,
    },
  );
}

/** Pages of a holder who is signed in. */
export function holderPages(fixture: PeopleSite): CostRequests {
  const { site, owner: { hash, cookie }, document, filled: { request } } = fixture;
  const log = { on: "trust", path: "/my-record/log", cookie } as const;
  const feed = { ...log, headers: { accept: "application/json" } };
  return {
    ...pages("trust", {
      ...same("/my-record", "/my-record/log", "/my-record/requests", "/my-record/key"),
      ...same("/my-record/correct", "/my-record/delete", "/my-record/declaration"),
      ...same("/my-record/notifications", "/my-record/number", "/my-record/download.json"),
      "/my-record/share?document=…": `/my-record/share?document=${document}`,
      "/my-record/authorize?request=…": `/my-record/authorize?request=${request}`,
      ...same("/check", "/privacy", "/levels"),
      "/verify?hash=…": `/verify?hash=${hash}`,
      "/d/…": `/d/${document}`,
      "/d/…/file": `/d/${document}/file`,
      "/d/…/cover": `/d/${document}/cover`,
    }, { cookie }),
    "trust /d/…/file, 304": notModified(site, {
      on: "trust",
      path: `/d/${document}/file`,
      cookie,
    }),
    "trust /my-record/log, JSON": feed,
    "trust /my-record/log, JSON, 304": notModified(site, feed),
    "trust /my-record/log?after=…, stream": async () => {
      const { events: [first] } = await (await fixture.fetch(feed.path, feed)).json();
      return { ...log, path: `${log.path}?after=${first.id}`, headers: STREAM };
    },
  };
}

/** Pages of a user of the qualification site. */
export async function userPages({ site: { services } }: PeopleSite): Promise<CostRequests> {
  const { token } = await services.auth.issueLink({ email: "ada@example.org", surface: "site" });
  const cookie = `app_session=${(await services.auth.verify(token, "site"))!.sessionId}`;
  return pages("site", {
    ...same("/", "/account", "/account/export", "/compare", "/qualifications/CHC50121"),
  }, { cookie });
}
