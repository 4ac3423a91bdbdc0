/** The animated picture on the commercial home page that shows how a document is issued and checked. */
import { Logo } from "../Logo.tsx";
import { qrPath } from "../QrCode.tsx";

const STEPS = [
  {
    title: "An approved organisation issues it",
    text: "By API or from a spreadsheet. The organisation answers for the content.",
  },
  {
    title: "Every page gets a code",
    text: "We register the file's SHA-256, and print a QR code on each page of a PDF.",
  },
  {
    title: "The holder keeps it",
    text: "The holder shares it, and sees everyone who opened it.",
  },
  {
    title: "A stranger scans it",
    text: "The code says who issued it, when, and whether it is current.",
  },
  {
    title: "The file is checked",
    text: "The stranger's browser hashes it, without uploading it.",
  },
];

/** The lines of text on the picture's document: their places and widths. */
const LINES = [[118, 150], [136, 176], [154, 132], [196, 168], [214, 108]];

/**
 * A document's path from its issue to a stranger's check, as a picture that plays once, within five
 * seconds, and as a list. The motion is in the style sheet, so the picture is complete without it.
 */
export function DocumentPath(
  { issuer, sha256, checkUrl }: { issuer: string; sha256: string; checkUrl: string },
) {
  return (
    <div class="path">
      <div class="path-stage stack gap-3">
        <Picture issuer={issuer} sha256={sha256} checkUrl={checkUrl} />
        <button type="button" class="path-replay framed on-card muted">Play again</button>
      </div>
      <ol class="path-steps stack" aria-label="How a certificate is issued">
        {STEPS.map(({ title, text }) => (
          <li class="relative" key={title}>
            <h2>{title}</h2>
            <p class="flush muted text-medium">{text}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}

function Picture(
  { issuer, sha256, checkUrl }: { issuer: string; sha256: string; checkUrl: string },
) {
  const { path, size } = qrPath(checkUrl);
  return (
    <svg
      class="path-picture full-width"
      viewBox="46 4 456 430"
      width="456"
      height="430"
      aria-hidden="true"
    >
      <ellipse class="path-ground" cx="274" cy="418" rx="216" ry="11" />
      <g class="path-document">
        <rect class="sheet" x="60" y="16" width="282" height="392" rx="10" />
        <g class="path-issued">
          <g class="mark" transform="translate(84 38) scale(0.8)">
            <Logo />
          </g>
          <text class="issuer bold" x="114" y="54">{issuer}</text>
          <text class="title bold" x="84" y="100">Certificate</text>
          {LINES.map(([y, width]) => <path key={y} class="line" d={`M84 ${y}h${width}`} />)}
          <path class="signature" d="M84 268c14-26 22-24 20-4s16-18 26-14-4 20 12 12 18-4 34-2" />
          <path class="line" d="M84 284h104" />
        </g>
        <g class="path-sealed">
          <path class="rule" d="M84 308h234" />
          <text class="label" x="84" y="328">SHA-256</text>
          {[0, 16, 32, 48].map((from, i) => (
            <text key={from} class="hash" x="84" y={344 + i * 13}>
              {sha256.slice(from, from + 8)} {sha256.slice(from + 8, from + 16)}
            </text>
          ))}
          <rect class="code-paper" x="234" y="312" width="86" height="86" />
          <path
            class="code"
            d={path}
            transform={`translate(234 312) scale(${86 / size})`}
            shape-rendering="crispEdges"
          />
          <g class="path-seal">
            <circle class="ring" cx="288" cy="226" r="32" />
            <circle class="disc" cx="288" cy="226" r="25" />
            <path class="tick" d="M277 226l8 8 14-16" />
          </g>
        </g>
      </g>
      <path class="path-beam" d="M352 262L234 312V398L352 330z" />
      <g class="path-phone">
        <rect class="body" x="338" y="112" width="158" height="300" rx="26" />
        <rect class="screen" x="346" y="120" width="142" height="284" rx="19" />
        <path class="speaker" d="M402 133h30" />
        <g class="path-finder">
          <path d="M368 214v-18h18M466 214v-18h-18M368 276v18h18M466 276v18h-18" />
          <rect class="code-paper" x="382" y="210" width="70" height="70" />
          <path class="code" d={path} transform={`translate(382 210) scale(${70 / size})`} />
        </g>
        <g class="path-verdict">
          <rect class="screen" x="346" y="150" width="142" height="240" />
          <circle class="disc" cx="417" cy="204" r="30" />
          <path class="tick" d="M404 204l9 10 18-21" />
          <text class="outcome bold" x="417" y="264">Match</text>
          <text class="small" x="417" y="286">Current version</text>
          <path class="rule" d="M368 304h98" />
          <text class="small" x="417" y="326">Issued by</text>
          <text class="small strong bold" x="417" y="344">{issuer}</text>
          <text class="small" x="417" y="372">{sha256.slice(0, 8)}…</text>
        </g>
      </g>
    </svg>
  );
}
