import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type CheckedFile, checkFile } from "./check.ts";
import { batchDefaults, columnOf } from "./columns.ts";
import type { RowProblem } from "./rows.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

const check = (
  file: string | Uint8Array<ArrayBuffer>,
  defaults: Record<string, string> = {},
  leaveOut = false,
): Promise<CheckedFile> =>
  checkFile(
    new Blob([file]).stream(),
    batchDefaults.parse(defaults),
    (documents) =>
      Promise.resolve({
        ok: true,
        issues: documents.map(({ name }): Record<string, string> =>
          name.includes("𓂀") ? { name: "The fonts cannot show “𓂀”." } : {}
        ),
      }),
    { leaveOut },
  );

const checkNothing = (documents: readonly unknown[]) =>
  Promise.resolve({ ok: true as const, issues: documents.map(() => ({})) });

const ALL = { title: "Certificate III", date: "2026-11-20" };

async function rowsOf(file: string | Uint8Array<ArrayBuffer>, defaults = ALL) {
  const result = await check(file, defaults);
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.rows;
}

async function problemsOf(
  file: string,
  defaults: Record<string, string> = ALL,
): Promise<string[]> {
  const result = await check(file, defaults);
  if (result.ok) throw new Error("The file was accepted.");
  assertEquals(result.error, "invalid_rows");
  return (result.details!.rows as RowProblem[]).map(({ line, column, reason }) =>
    `${line} ${column}: ${reason}`
  );
}

Deno.test("a row has the values of its cells, and the defaults for empty cells and missing columns", async () => {
  const [first, second] = await rowsOf(
    "Name,email,Title,External ID\nAda Lovelace,ADA@example.org,,A-1\nBob,bob@example.org,Diploma,A-2\n",
  );
  assertEquals(
    first,
    {
      line: 2,
      document: {
        name: "Ada Lovelace",
        email: "ada@example.org",
        external_id: "A-1",
        title: "Certificate III",
        type: "Certificate",
        date: "2026-11-20",
      },
    },
  );
  assertEquals(second.document.title, "Diploma");
});

Deno.test("commas, semicolons, tabs, byte order marks and every kind of line break are read", async () => {
  for (const separator of [",", ";", "\t"]) {
    for (const end of ["\n", "\r\n", "\r"]) {
      const header = ["name", "email", "body"].join(separator);
      const row = ["Zoë", "zoe@example.org", `"a ${separator} ""b""${end}c"`].join(separator);
      const file = `\uFEFF${header}${end}${end}${row}${end}${separator}${separator}${end}`;
      const rows = await rowsOf(file);
      assertEquals(rows.length, 1);
      const { line, document: { name, body } } = rows[0];
      assertEquals([line, name, body], [3, "Zoë", `a ${separator} "b"\nc`]);
    }
  }
});

Deno.test("files as spreadsheets write them are read: no empty last cells, a comma at the end of the header, a named separator", async () => {
  const files = [
    "name,email,\nZoë,zoe@example.org\n",
    "name,email,body,grade\nZoë,zoe@example.org\n",
    "sep=;\nname;email;\nZoë;zoe@example.org;\n",
    '\ufeff"SEP=,"\r\nname,email\r\nZoë,zoe@example.org\r\n',
    "sep=\t\nname\temail\nZoë\tzoe@example.org\n",
    "sep=|\nname|email\nZoë|zoe@example.org\n",
    "\u200bname,\u2060Email\u00a0\nZoë,zoe@example.org\u200b\n",
    '\ufeff\u200b"name","email"\nZoë,zoe@example.org\n',
  ];
  for (const file of files) {
    const [{ document: { name, email } }, ...more] = await rowsOf(file);
    assertEquals([name, email, more.length], ["Zoë", "zoe@example.org", 0], file);
  }
});

Deno.test("cells that a spreadsheet has probably spoiled are named", async () => {
  const cells = [
    "#N/A",
    "2.02611E+11",
    "2,02611e+11",
    "#REF!",
    "#NAME?",
    "########",
    "#DIV/0!",
    "Err:502",
  ];
  const rows = cells.map((cell, i) =>
    `${i % 2 ? "Zoë" : `"${cell}"`},zoe${i}@example.org,"${cell}"`
  );
  const found = await problemsOf(`name,email,external_id\n${rows.join("\n")}`);
  assertEquals(found.length, cells.length + cells.length / 2);
  for (const problem of found) assert(problem.includes("probably"), problem);
  const fine = ["#1", "E+11", "2E11", "N/A", "#N/A 2", "#7 Road!"];
  const ids = fine.map((id, i) => `Zoë,zoe${i}@example.org,"${id}"`);
  assertEquals((await rowsOf(`name,email,external_id\n${ids.join("\n")}`)).length, fine.length);
});

Deno.test("names that lost letters when the file was saved are named", async () => {
  const spoiled = ["M?ller", "Zoë ??", "王\ufffd", "MÃ¼ller", "JosÃ©", "Oâ€™Brien", "？"];
  for (const column of ["name", "name_latin"]) {
    const rows = spoiled.map((name, i) => `"${name}",zoe${i}@example.org`);
    const header = column === "name" ? "name,email" : "name_latin,email,name";
    const ending = column === "name" ? "" : ",Zoë";
    const file = [header, ...rows.map((row) => row + ending)].join("\n");
    const found = await problemsOf(file);
    assertEquals(found.length, spoiled.length);
    for (const problem of found) assertStringIncludes(problem, "probably lost");
  }
  const fine = ["João", "MÂNCIO", "IRMÃ\u00a0DULCE", "Ãngela", "Â. Ã.", "Jr. (II)", "ʔəɬ", "ǃXun"];
  const rows = fine.map((name, i) => `${name},zoe${i}@example.org,Is it?`);
  assertEquals((await rowsOf(`name,email,body\n${rows.join("\n")}`)).length, fine.length);
});

Deno.test("a file that arrives byte by byte is read like one that arrives at once", async () => {
  const file = "name,email\r\nZoë 😀 Müller,zoe@example.org\r\n";
  const bytes = Array.from(bytesOf(file), (byte) => new Uint8Array([byte]));
  const result = await checkFile(
    ReadableStream.from(bytes),
    batchDefaults.parse(ALL),
    checkNothing,
  );
  assertEquals(result, await check(file, ALL));
  assert(result.ok);
});

Deno.test("every faulty row is named with line, column and reason", async () => {
  const rows = [
    "name,email,date,external_id,title,grade,expires_on",
    ",ada@example.org,2026-11-20,1,,,",
    "Bob,bob at example,20.11.2026,2,,,",
    `Carol,carol@example.org,,3,,"${"x".repeat(61)}",`,
    "𓂀好,dan@example.org,,4,,,",
    '"Eve',
    'Smith",eve@example.org,,5,,,',
    "Frank,frank@example.org,,4,,,",
    "Gina,gina@example.org,,6",
    "Hal,hal@example.org,,7,,,,surplus",
    "Ida,ida@example.org,2026-11-20,8,,,2026-11-19",
    'Jim "J" Doe,jim@example.org,,9,,,',
    'Kim,kim@example.org,,10,"a"b,,',
    "Lea,lea@example.org,,11,,,",
    "Lea,lea@example.org,,11,,,",
  ];
  const found = await problemsOf(rows.join("\n"));
  assertEquals(found.map((problem) => problem.split(": ")[0]), [
    "2 name",
    "3 email",
    "3 date",
    "4 grade",
    "5 name",
    "6 name",
    "8 external_id",
    "10 null",
    "11 expires_on",
    "12 null",
    "13 null",
    "15 external_id",
  ]);
  assert(found.includes("8 external_id: Line 5 has the same id."));
});

Deno.test("rows that repeat another one are faulty, unless different external ids distinguish them", async () => {
  const twice = "Ada,ada@example.org\nAda,Ada@Example.org\n";
  assertEquals((await problemsOf(`name,email\n${twice}`)).map((text) => text.slice(0, 45)), [
    "3 null: Line 2 has the same name, address, ti",
  ]);
  const ids = "Ada,ada@example.org,1\nAda,ada@example.org,2\n";
  assertEquals((await rowsOf(`name,email,external_id\n${ids}`)).length, 2);
});

Deno.test("a header with unknown, repeated or missing columns is refused with a suggestion", async () => {
  assertEquals(await problemsOf("nmae,email,email,notes\nAda,ada@example.org,,\n", {}), [
    "1 nmae: There is no such column. Did you mean name?",
    "1 email: This column occurs twice.",
    "1 notes: There is no such column. The columns are name, email, language, name_latin, external_id, title, type, date, " +
    "expires_on, subtitle, body, grade, signatory, signatory_title, paper.",
    "1 name: This column is missing.",
    "1 title: Add this column, or give one title for all rows.",
    "1 date: Add this column, or give one date for all rows.",
  ]);
});

Deno.test("a column with the usual name of a list of students gets the name that it has here", async () => {
  assertEquals(await problemsOf("Full name,E-mail address,Result\nAda,ada@example.org,A\n"), [
    "1 full_name: There is no such column. Did you mean name?",
    "1 e_mail_address: There is no such column. Did you mean email?",
    "1 result: There is no such column. Did you mean grade?",
    "1 name: This column is missing.",
    "1 email: This column is missing.",
  ]);
  const [problem] = await problemsOf("name,email,constructor\nAda,ada@example.org,A\n");
  assertStringIncludes(problem, "The columns are name,");
});

Deno.test("an unknown column with identifiers gets external_id as a suggestion, if they are the document's", async () => {
  for (const column of ["Student no", "Student No.", "ID", "Certificate number", "your-ref"]) {
    const name = columnOf(column);
    assertEquals(await problemsOf(`name,email,${column}\nAda,ada@example.org,1\n`), [
      `1 ${name}: There is no such column. If it is your own number of the document, not of the ` +
      "person, name it external_id. Otherwise, remove it.",
    ]);
  }
  const [problem] = await problemsOf("name,email,piano\nAda,ada@example.org,1\n");
  assertStringIncludes(problem, "The columns are name,");
});

Deno.test("problems of the header and of rows are named in one round", async () => {
  const file = [
    "name,email,title,notes",
    "Ada,ada@example.org,A,seen",
    "Bob,bob,A,seen",
    "𓂀,mei@example.org,A,seen",
    "Ada,ada@example.org,A,seen,B",
  ];
  assertEquals(await problemsOf(file.join("\n"), {}), [
    "1 notes: There is no such column. The columns are name, email, language, name_latin, external_id, title, type, date, " +
    "expires_on, subtitle, body, grade, signatory, signatory_title, paper.",
    "1 date: Add this column, or give one date for all rows.",
    "3 email: This is not an email address that can receive email.",
    "4 name: The fonts cannot show “𓂀”.",
    "5 null: The row has 5 cells, but the header has 4. A cell with a separator or a line break needs quotes.",
  ]);
  const result = await check(file.join("\n"), {});
  if (result.ok) throw new Error("The file was accepted.");
  assertEquals(
    [result.message, result.details!.faulty_rows],
    ["The header has a problem, and 3 rows of 4 have problems, so nothing was issued.", 3],
  );
});

Deno.test("a file in another encoding, without rows, with too many rows or too large is refused", async () => {
  const messageOf = async (file: string | Uint8Array<ArrayBuffer>) => {
    const result = await check(file, ALL);
    return result.ok ? "" : `${result.error}: ${result.message}`;
  };
  const latin = new Uint8Array([
    ...bytesOf("name,email\nZo"),
    0xeb,
    ...bytesOf(",z@example.org\n"),
  ]);
  assert((await messageOf(latin)).includes("Windows-1252"));
  assert((await messageOf(new Uint8Array([0xff, 0xfe, 0x6e, 0]))).includes("UTF-16"));
  assert((await messageOf("name,email\nA\0da,ada@example.org\n")).includes("not text"));
  assert((await messageOf("")).includes("empty"));
  assert((await messageOf("name,email\n\n")).includes("no rows"));
  const row = (n: number) => `Ada ${n},ada${n}@example.org\n`;
  const rows = (count: number) =>
    `name,email\n${Array.from({ length: count }, (_, n) => row(n)).join("")}`;
  assertEquals((await rowsOf(rows(10_000))).length, 10_000);
  assertEquals(
    await messageOf(rows(10_001)),
    "too_large: A batch has at most 10,000 rows. Divide the file.",
  );
  const long = new Uint8Array(9 * 1024 * 1024).fill(0x0a);
  assertEquals(await messageOf(long), "too_large: Send at most 8 MiB.");
});

Deno.test("very many problems are counted, and the first thousand are named", async () => {
  const rows = Array.from({ length: 1200 }, () => "Ada,ada\n").join("");
  const result = await check(`name,email\n${rows}`, ALL);
  if (result.ok) throw new Error("The file was accepted.");
  assertEquals(result.message, "1,200 rows of 1,200 have problems, so nothing was issued.");
  const { rows: named, problems } = result.details as { rows: RowProblem[]; problems: number };
  assertEquals([named.length, problems], [1000, 1200]);
});

Deno.test("a header with more than 64 columns is refused without a look at each", async () => {
  const header = `name,email${",".repeat(30_000)}`;
  assertEquals(await problemsOf(`${header}\nAda,ada@example.org\n`), [
    "1 null: The header has 30,002 columns, but the limit is 64.",
  ]);
});

Deno.test("a file with more than 100,000 lines is refused, even if they are empty", async () => {
  for (const line of ["\n", '"\n']) {
    const result = await check(`name,email\n${line.repeat(100_001)}`, ALL);
    assertEquals(result.ok ? null : result.error, "too_large");
  }
});

Deno.test("other work goes on while a file is checked", async () => {
  const file = `name,email\n${"Ada,ada@example.org\n".repeat(8_000)}`;
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  await checkFile(
    (async function* () {
      yield bytesOf(file);
    })(),
    batchDefaults.parse(ALL),
    checkNothing,
  );
  clearInterval(timer);
  assert(turns >= 5, `${turns}`);
});

Deno.test("a file without line breaks has one problem, which says how to send it with curl", async () => {
  const rows = Array.from({ length: 40 }, (_, i) => `Grace ${i},grace${i}@example.org`);
  for (const most of [1, 40]) {
    const problems = await problemsOf(["name,email", ...rows.slice(0, most)].join(""));
    assertEquals(problems.length, 1);
    assert(problems[0].includes("--data-binary"));
  }
});

const UNPRINTABLE =
  "name,email\nAda,ada@example.org\n𓂀,eye@example.org\nMei,mei@example.org\n𓂀,@\n";

Deno.test("a refused file says how many rows could be left out, and they are left out if it is wanted", async () => {
  const refused = await check(UNPRINTABLE, ALL);
  assertEquals(!refused.ok && refused.details, {
    rows: [
      { line: 3, column: "name", value: "𓂀", reason: "The fonts cannot show “𓂀”." },
      {
        line: 5,
        column: "email",
        value: "@",
        reason: "This is not an email address that can receive email.",
      },
    ],
    problems: 2,
    faulty_rows: 2,
    unprintable_rows: 1,
  });
  const other = await check(UNPRINTABLE, ALL, true);
  assertEquals(!other.ok && other.details?.problems, 1);
  const checked = await check(UNPRINTABLE.replace("@\n", "eye@example.org\n"), ALL, true);
  if (!checked.ok) throw new Error(JSON.stringify(checked));
  assertEquals(checked.rows.map(({ line }) => line), [2, 4]);
  assertEquals(checked.leftOut.map(({ line, column }) => [line, column]), [[3, "name"], [
    5,
    "name",
  ]]);
});

Deno.test("a row with another problem is not left out", async () => {
  const file = "name,email,external_id\nAda,ada@example.org,1\n𓂀,eye@example.org,1\n";
  const refused = await check(file, ALL, true);
  assertEquals(!refused.ok && refused.details?.problems, 2);
});

Deno.test("a file of which all rows would be left out is refused", async () => {
  const refused = await check("name,email\n𓂀,eye@example.org\n", ALL, true);
  assertEquals(!refused.ok && refused.error, "invalid_rows");
});
