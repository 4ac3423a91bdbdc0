/** Gives the browser of a test a passkey authenticator. */
import type { CDPSession, Page } from "playwright-core";

/** An authenticator of Chromium that stores passkeys and verifies its person. */
interface VirtualAuthenticator {
  cdp: CDPSession;
  authenticatorId: string;
  /** The number of passkeys that it stores. */
  stored(): Promise<number>;
  /** Makes it respond at once, or wait for a person who never comes. */
  present(enabled: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** Adds an authenticator to the browser of a page. */
export async function addAuthenticator(page: Page, options = {}): Promise<VirtualAuthenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      ...options,
    },
  });
  return {
    cdp,
    authenticatorId,
    async stored() {
      const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
      return credentials.length;
    },
    async present(enabled) {
      const params = { authenticatorId, enabled };
      await cdp.send("WebAuthn.setAutomaticPresenceSimulation", params);
    },
    async remove() {
      await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
    },
  };
}
