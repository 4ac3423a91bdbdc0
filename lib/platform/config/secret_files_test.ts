import { assertEquals } from "@std/assert";
import { z } from "zod";
import { text } from "./fields.ts";
import { fileVariables, readSecretFiles, secret, secretNames } from "./secret_files.ts";

const VARIABLES = { TOKEN: secret(text.optional()), HOST: text, KEYS: secret(text.default("")) };

Deno.test("only variables that are marked as secrets may be in a file", () => {
  assertEquals(secretNames(VARIABLES), ["TOKEN", "KEYS"]);
  assertEquals(Object.keys(fileVariables(VARIABLES)), ["TOKEN_FILE", "KEYS_FILE"]);
  assertEquals(z.object(VARIABLES).parse({ HOST: "h" }), { HOST: "h", KEYS: "" });
});

Deno.test("a file's content is its secret without line breaks around it, also behind a link", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/one`, "\none\n\n");
  await Deno.symlink("one", `${folder}/link`);
  const env = { TOKEN_FILE: ` ${folder}/one `, KEYS_FILE: `${folder}/link`, OTHER_FILE: "none" };
  assertEquals(readSecretFiles(env, ["TOKEN", "KEYS"]), {
    paths: { TOKEN: `${folder}/one`, KEYS: `${folder}/link` },
    values: { TOKEN: "one", KEYS: "one" },
    problems: [],
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a file that cannot be used is named with the reason, without its content", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/empty`, " \n");
  await Deno.writeTextFile(`${folder}/large`, "s".repeat(64 * 1024 + 1));
  await Deno.writeTextFile(`${folder}/value`, "secret");
  const cases: [env: Record<string, string>, problem: string][] = [
    [{ TOKEN_FILE: `${folder}/none` }, "a file that exists"],
    [{ TOKEN_FILE: `${folder}/value/x` }, "a file that the site may read"],
    [{ TOKEN_FILE: `${folder}/empty` }, "a file that is not empty"],
    [{ TOKEN_FILE: `${folder}/large` }, "a file of at most 64 KiB"],
    [{ TOKEN_FILE: folder }, "a file, not a folder or device"],
    [{ TOKEN_FILE: "/dev/zero" }, "a file, not a folder or device"],
    [{ TOKEN_FILE: `${folder}/value`, TOKEN: "other" }, "unset, because TOKEN is set"],
    ...[`${folder}/value`, "/run/secrets", "/run/secrets/../passwd", "/run/secretsother/x", "x"]
      .map((TOKEN_FILE): typeof cases[0] => [
        { APP_ENV: "production", TOKEN_FILE },
        "a file below /run/secrets or /var/lib/gatehouse/secrets in production",
      ]),
    [{ APP_ENV: "production", TOKEN_FILE: "/run/secrets/none" }, "a file that exists"],
  ];
  for (const [env, problem] of cases) {
    const { values, problems } = readSecretFiles(env, ["TOKEN"]);
    assertEquals([values, problems], [{}, [`TOKEN_FILE: should be ${problem}`]]);
  }
  await Deno.remove(folder, { recursive: true });
});
