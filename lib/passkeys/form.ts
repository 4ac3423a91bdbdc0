import { z } from "zod";
import { textField } from "../contact/mod.ts";

/** The longest name of a passkey, in characters. */
export const NAME_LIMIT = 60;

const id = z.string("Choose a passkey.").regex(/^[\da-f]{64}$/, "Choose a passkey.");
const name = textField(NAME_LIMIT).pipe(z.string("Enter a name."));

/** The body of `POST /my-record/passkeys`. */
export const formSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("rename"), id, name }),
  z.object({ act: z.literal("remove"), id }),
], "Choose what to do.");
