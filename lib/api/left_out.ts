const PAGE = "A page for people.";
const FORM = "A form for people.";
const OWN = "Only for the script of our own page, with a nonce from it.";
const PROVIDER = "A callback of the provider of codes, with its signature.";

/** The routes of public surfaces that programs can call but the document leaves out, and why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "/mcp": "The Model Context Protocol describes its own tools.",
  "/api/auth/request": "For our own sign-in pages.",
  "/api/auth/logout": "For our own sign-in pages.",
  "/api/codes/status": PROVIDER,
  "/api/codes/voice": PROVIDER,
  "/components/contact-form/:version": "A script for pages.",
  "/pdfjs/:version/:file": "A script for pages.",
  "/qualifications/:code": PAGE,
  "/standard/:section": PAGE,
  "/confirm": FORM,
  "/d/:id": PAGE,
  "/d/:id/:page": PAGE,
  "/d/:id/request": FORM,
  "/d/request": FORM,
  "/d/grant": FORM,
  "/check/verified": OWN,
  "/k/verified": OWN,
  "/my-record/*": "Pages and forms for holders, except the paths that are documented.",
};
