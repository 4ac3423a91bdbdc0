import { assertEquals } from "@std/assert";
import { secretsOf } from "../../base/secrets.ts";
import { readReturnPath, returnPath } from "./return_path.ts";

const secretsWith = (...bytes: number[]) =>
  secretsOf(() => Promise.resolve(bytes.map((byte) => new Uint8Array(32).fill(byte))));
const ID = "6f1c2a34-89ab-4cde-9f01-23456789abcd";
const OTHER = "6f1c2a34-89ab-4cde-9f01-23456789abce";

Deno.test("a return path names its mail in every case, also after the secret was replaced", async () => {
  const path = await returnPath(secretsWith(1), "bounces@site.example", ID);
  assertEquals(path.split("@")[0].length <= 64, true);
  assertEquals(await readReturnPath(secretsWith(1), path), ID);
  assertEquals(await readReturnPath(secretsWith(1), path.toUpperCase()), ID);
  assertEquals(await readReturnPath(secretsWith(2, 1), path), ID);
});

Deno.test("a return path of another mail, with another signature or of another site names no mail", async () => {
  const secrets = secretsWith(1);
  const path = await returnPath(secrets, "bounces@site.example", ID);
  const other = await returnPath(secrets, "bounces@site.example", OTHER);
  const forged = [
    path.replace(ID.replaceAll("-", ""), OTHER.replaceAll("-", "")),
    path.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@")),
    path.replace("+", ""),
    "bounces@site.example",
    "",
  ];
  for (const address of forged) assertEquals(await readReturnPath(secrets, address), null, address);
  assertEquals(await readReturnPath(secretsWith(2), path), null);
  assertEquals(await readReturnPath(secrets, other), OTHER);
});
