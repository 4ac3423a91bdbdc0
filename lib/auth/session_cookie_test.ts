import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { clearedSessionCookie, sessionCookie, sessionIdOf } from "./sessions.ts";

const ID = "3f2b8c9e-1d4a-4e6f-9a7b-0c1d2e3f4a5b";
const OTHER = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

const withCookie = (cookie: string | null) =>
  new Request("http://site.localhost/", { headers: cookie === null ? {} : { cookie } });

Deno.test("the session cookie is written as the spec has it, part by part", () => {
  assertEquals(
    sessionCookie(ID),
    `app_session=${ID}; HttpOnly; Secure; SameSite=Lax; Max-Age=2592000; Path=/`,
  );
  assertEquals(
    clearedSessionCookie(),
    "app_session=; HttpOnly; Secure; SameSite=Lax; Max-Age=0; Path=/",
  );
});

const COOKIES: [title: string, cookie: string | null, id: string | null][] = [
  ["alone", `app_session=${ID}`, ID],
  ["first of several", `app_session=${ID}; theme=dark`, ID],
  ["last of several", `theme=dark; app_session=${ID}`, ID],
  ["without the space", `theme=dark;app_session=${ID};a=b`, ID],
  ["beside junk", `;;=; a; app_session=${ID}; =b`, ID],
  ["none", null, null],
  ["empty header", "", null],
  ["another cookie", "theme=dark", null],
  ["empty value", "app_session=", null],
  ["without a value", "app_session", null],
  ["not a uuid", "app_session=1", null],
  ["a uuid in capitals", `app_session=${ID.toUpperCase()}`, null],
  ["a uuid of another version", `app_session=${ID.replace("-4e", "-1e")}`, null],
  ["a uuid of another variant", `app_session=${ID.replace("-9a", "-ca")}`, null],
  ["a uuid without hyphens", `app_session=${ID.replaceAll("-", "")}`, null],
  ["the nil uuid", "app_session=00000000-0000-0000-0000-000000000000", null],
  ["a uuid and more", `app_session=${ID}a`, null],
  ["a path into the store", "app_session=../users/1", null],
  ["in quotes", `app_session="${ID}"`, null],
  ["percent-encoded", `app_session=${ID.replaceAll("-", "%2D")}`, null],
  ["a space before the value", `app_session= ${ID}`, null],
  ["a space before =", `app_session =${ID}`, null],
  ["name in capitals", `APP_SESSION=${ID}`, null],
  ["a longer name", `x_app_session=${ID}`, null],
  ["a name that begins like it", `app_session2=${ID}`, null],
  ["the same one twice", `app_session=${ID}; app_session=${ID}`, null],
  ["two of them", `app_session=${ID}; app_session=${OTHER}`, null],
  ["one and an empty one", `app_session=; app_session=${ID}`, null],
  ["inside another's value", `a=app_session=${ID}`, null],
  ["joined with a comma", `a=b, app_session=${ID}`, null],
];

for (const [title, cookie, id] of COOKIES) {
  Deno.test(`cookie: ${title}`, () => assertEquals(sessionIdOf(withCookie(cookie)), id));
}

Deno.test("cookie: no header makes it throw, or gives an id that stands in it twice", () => {
  const piece = fc.constantFrom("app_session", "=", ";", " ", ID, OTHER, '"', ",", "a", "\t");
  fc.assert(fc.property(fc.array(piece, { maxLength: 9 }), (pieces) => {
    const cookie = pieces.join("");
    const id = sessionIdOf(withCookie(cookie));
    if (id === null) return;
    assertEquals(cookie.split(`app_session=${id}`).length, 2);
  }));
});
