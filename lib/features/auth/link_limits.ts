import { inHours } from "../../base/time.ts";
import { defineLimit } from "../../platform/kv/mod.ts";
import { LINK_WINDOW_MS, LINKS_PER_HOUR } from "./link_terms.ts";

/** Limits requests from one client for links of all kinds. The configuration has the number. */
export const clientLinks = defineLimit({
  name: "sign_in_client",
  limit: null,
  windowMs: LINK_WINDOW_MS,
  approximate: true,
  per: "network that asks for sign-in links",
  privacy: [{
    section: "sign_in",
    label: "Limits",
    text: "The number of links requested, with a keyed fingerprint of the email address and a " +
      `fingerprint of the network address, for ${inHours(LINK_WINDOW_MS)}.`,
  }, { section: "record", label: "Limits" }],
});

/** Limits the links for one mailbox on one kind of surface. */
export const mailboxLinks = defineLimit({
  name: "sign_in_mailbox",
  limit: LINKS_PER_HOUR,
  windowMs: LINK_WINDOW_MS,
  per: "mailbox that asks for sign-in links",
  privacy: { section: "sign_in", label: "Limits" },
});
