/** The pages, picture and styles of the protected stand-in site. */

interface Page {
  title: string;
  /** @param origin for absolute links */
  body(origin: string): string;
}

const PAGES: Record<string, Page> = {
  "/": {
    title: "The records office handbook",
    body: () => `
<p class="lead">How the office keeps its records, checks them, and hands them over. This site is
protected: readers need a service token, or a relay that adds one.</p>
<h2>Chapters</h2>
<ol>
<li><a href="/handbook/keeping">Keeping a record</a></li>
<li><a href="handbook/checking">Checking a record</a></li>
<li><a href="handbook/../handbook/handing-over">Handing over</a></li>
</ol>
<h2>Kinds of responses</h2>
<ul>
<li><a href="/records.json">JSON</a>, <a href="/register.txt">a file with ranges</a>,
<a href="/large?bytes=1048576">a large file</a>, <a href="/compressed">a compressed page</a></li>
<li><a href="/redirect?to=/handbook/checking">a redirect on this site</a>,
<a href="/moved">one to the login page</a> (502 through a relay)</li>
<li><a href="/cookies">two cookies</a>, <a href="/echo">the request's headers</a></li>
<li><a href="/slow-headers?ms=3000">slow headers</a>, <a href="/slow-body">a slow body</a>,
<a href="/broken">one that is cut off</a>, <a href="/nothing-here">a missing page</a></li>
</ul>`,
  },
  "/handbook/keeping": {
    title: "Keeping a record",
    body: (origin) => `
<p class="lead">A record is written once. A later change is a new event.</p>
<p>Write down who made the record, when, and what it means. Keep the original form; a copy names
its source. The register lists every record with its number.</p>
<p>Next: <a href="${origin}/handbook/checking">checking a record</a>.</p>`,
  },
  "/handbook/checking": {
    title: "Checking a record",
    body: (origin) => `
<p class="lead">Anyone can check a record without asking its author.</p>
<p>Compute the digest of each event from the previous one. The last digest must match the register.
If it does not, report the first event that differs.</p>
<p>Next: <a href="${origin}/handbook/handing-over">handing over</a>.</p>`,
  },
  "/handbook/handing-over": {
    title: "Handing over",
    body: () => `
<p class="lead">A record leaves the office with everything that is needed to check it.</p>
<p>Put the events, the register's entry and the public key into one file. Note who received it.
A handover is never reversed; a correction is a new event.</p>
<p>Back to <a href="../">the chapters</a>.</p>`,
  },
  "/missing": {
    title: "Not in the handbook",
    body: () =>
      `<p class="lead">There is no page at this URL.</p>
<p>Back to <a href="/">the chapters</a>.</p>`,
  },
};

export const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#1a2332"/>
<path d="M9 8h14M9 14h14M9 20h8" stroke="#4ecdc4" stroke-width="2.5" stroke-linecap="round"/>
</svg>
`;

export const STYLES = `:root { color-scheme: light dark; }
body { margin: 0; font: 1rem/1.65 system-ui, sans-serif; color: light-dark(#1a2332, #e6ebf2);
  background: light-dark(#fbfcfd, #10161f); }
header, main, footer { max-width: 42rem; margin: 0 auto; padding: 0 1.5rem; }
header { display: flex; gap: 0.75rem; align-items: center; padding-top: 2rem; }
header img { width: 2rem; height: 2rem; }
header a { color: inherit; font-weight: 600; text-decoration: none; }
h1 { font-size: 2rem; line-height: 1.2; margin: 2.5rem 0 1rem; letter-spacing: -0.02em; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
.lead { font-size: 1.15rem; color: light-dark(#5c6675, #a9b3c1); }
a { color: light-dark(#0b6e66, #4ecdc4); }
footer { padding-top: 3rem; padding-bottom: 2rem; font-size: 0.85rem;
  color: light-dark(#5c6675, #a9b3c1); }
`;

export function handbook(path: string, origin: string): string | null {
  if (!Object.hasOwn(PAGES, path)) return null;
  const { title, body } = PAGES[path];
  return layout(
    title,
    `<header><img src="/mark.svg" alt="" srcset="/mark.svg 1x, ${origin}/mark.svg 2x">
<a href="/">Records office</a></header>
<main><h1>${title}</h1>${body(origin)}</main>
<footer>A protected site of the sandbox.</footer>`,
    `<link rel="icon" href="/mark.svg">
<link rel="stylesheet" href="/handbook.css">`,
  );
}

/** Returns the page for requests without the service token. */
export function refusal(): string {
  return layout(
    "Access required",
    `<main><h1>Access required</h1>
<p>Only readers in the access policy can see this site. Sign in, or send a service token.</p>
</main>`,
  );
}

function layout(title: string, body: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
