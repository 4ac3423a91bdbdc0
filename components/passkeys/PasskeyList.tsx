import { PasskeyItems, type PasskeyItemsProps } from "./PasskeyItems.tsx";

/** A record's passkeys. */
export const PasskeyList = (
  { passkeys, account }: Pick<PasskeyItemsProps, "passkeys" | "account">,
) => (
  <PasskeyItems
    passkeys={passkeys}
    account={account}
    action="/my-record/passkeys"
    removal={passkeys.length === 1
      ? "This is your only passkey. Without it you sign in with an emailed link, and your record " +
        "drops below level 3 unless its mobile number is confirmed."
      : "It stops working at once, on every device."}
  />
);
