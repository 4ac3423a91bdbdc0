import { PasskeyItems, type PasskeyItemsProps } from "./PasskeyItems.tsx";

/** An operator's passkeys. */
export const ConsolePasskeyList = (
  { passkeys, account }: Pick<PasskeyItemsProps, "passkeys" | "account">,
) => (
  <PasskeyItems
    passkeys={passkeys}
    account={account}
    action="/console/team/passkeys"
    removal={"It stops working at once, and your sessions in other browsers end." +
      (passkeys.length === 1
        ? " This is your only passkey: without it, an emailed link alone opens everything. " +
          "Sensitive pages open after you have signed in again."
        : "")}
  />
);
