/** The version of a published page: its number, date, hash and publishers. */
import type { State } from "../../../lib/app/state.ts";
import { formatCount } from "../../../lib/base/time.ts";
import type { PageIssuer, ShownPage } from "../../../lib/features/standard/pages/mod.ts";
import { KeptQrCode } from "../../KeptQrCode.tsx";
import { HashRows } from "../../Groups.tsx";
import { Time } from "../../Time.tsx";

/** The most earlier versions that are listed. Older ones have the same addresses. */
const MAX_LISTED = 20;

/** A note above an earlier version that it is not the current one. */
export function EarlierNote({ shown: { version, replacedBy, path } }: { shown: ShownPage }) {
  if (replacedBy === null) return null;
  return (
    <p class="earlier-note pad-3-4 below-5 rounded raised">
      <strong>This is version {version.number}, which is no longer current.</strong> Version{" "}
      {replacedBy.number} was published on <Time at={replacedBy.at} />.{" "}
      <a href={path} aria-current="false">Read the current version</a>
    </p>
  );
}

// `aria-current` is set because otherwise Fresh marks links to other versions as the current page.

/** The labels of the version and its date, for pages whose texts have versions of their own as well. */
export interface VersionLabels {
  version: string;
  published: string;
}

const LABELS: VersionLabels = { version: "Version", published: "Published" };

/**
 * The foot of a published page: version, date and hash. A print also has the legal block, the QR code
 * and the disclaimer.
 */
export function PageRecord(
  { shown, state, labels = LABELS }: { shown: ShownPage; state: State; labels?: VersionLabels },
) {
  const { version, replacedBy, path, fileName, issuers, url } = shown;
  const { services: { surfaces }, surface } = state;
  const checkUrl = surfaces.url("trust", "/check") ?? `${surface.baseUrl}/check`;
  const bytes = formatCount(new TextEncoder().encode(version.markdown).length);
  return (
    <section class="page-record" aria-labelledby="this-text">
      <h2 class="text-large" id="this-text">This text</h2>
      <dl class="facts even">
        <dt>Issued by</dt>
        <dd>{issuers.map((issuer) => <Issuer key={issuer.name} {...issuer} />)}</dd>
        <dt>{labels.version}</dt>
        <dd>
          {version.number}, {replacedBy === null ? "current" : "no longer current"}
        </dd>
        <dt>{labels.published}</dt>
        <dd>
          <Time at={version.at} />
        </dd>
        <dt>SHA-256</dt>
        <dd>
          <HashRows hash={version.sha256} />
        </dd>
        <dt>It covers</dt>
        <dd>
          All {bytes} bytes of the Markdown file{" "}
          <a
            href={`${path}?version=${version.number}&format=md`}
            download={fileName}
            aria-current="false"
          >
            {fileName}
          </a>
        </dd>
        {version.number > 1 && (
          <>
            <dt class="screen-only">Earlier</dt>
            <dd class="screen-only">
              <EarlierVersions shown={shown} />
            </dd>
          </>
        )}
      </dl>
      <p class="screen-only">
        To compare a copy, download the file and{" "}
        <a href={checkUrl}>check it</a>, or compute its hash with{" "}
        <code>shasum -a 256 {fileName}</code>.
      </p>
      <div class="print-only block-print">
        <div class="where-to-check">
          <KeptQrCode text={url} label={`QR code with the address ${url}`} />
          <div>
            <p>
              <strong>Where to check</strong>
              <br />
              <code>{url}</code>
            </p>
            <p>
              Compare this print with the page there, whose address begins with{" "}
              <code>{new URL(url).origin}/</code>. To compare the file, choose it at{" "}
              <code>{checkUrl}</code>. It is not uploaded.
            </p>
          </div>
        </div>
        <div class="print-disclaimer">
          <p>
            <strong>A print proves nothing by itself.</strong>{" "}
            Anyone can copy a QR code and a hash onto another sheet. The hash covers the Markdown
            file, not this sheet, and says nothing about whether its content is true.
          </p>
        </div>
      </div>
    </section>
  );
}

const Issuer = ({ name, registration }: PageIssuer) => (
  <div>{registration === undefined ? name : `${name}, ${registration}`}</div>
);

function EarlierVersions({ shown: { version: { number }, path } }: { shown: ShownPage }) {
  const first = Math.max(1, number - MAX_LISTED);
  const numbers = Array.from({ length: number - first }, (_, i) => number - 1 - i);
  return (
    <ul class="wrap gap-0-4">
      {numbers.map((each) => (
        <li key={each}>
          <a href={`${path}?version=${each}`} aria-current="false">Version {each}</a>
        </li>
      ))}
      {first > 1 && <li>Older versions have the same address with their number.</li>}
    </ul>
  );
}
