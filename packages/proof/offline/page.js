/**
 * The page of a folder that a publisher has handed over.
 *
 * @module
 */
import { openFolder } from "./check.js";

/** Starts the page with the published module `verifier.js`. */
export async function start(verifier) {
  const at = (id) => document.getElementById(id);
  const support = await verifier.verifierSupport();
  if (support !== "ok") {
    return show(at("about"), [["bad", "This browser cannot verify. Use a newer one."]]);
  }

  // Pages that are opened from a disk may not read the files beside them, unless the reader chooses the folder.
  const isFile = location.protocol === "file:";
  at("choose").hidden = !isFile;
  at("folder").addEventListener("change", ({ target }) => {
    const files = new Map(
      Array.from(target.files, (file) => [file.webkitRelativePath.replace(/^[^/]*\//, ""), file]),
    );
    use(async (path) => files.has(path) ? await bytesOf(files.get(path)) : null);
  });
  if (!isFile) {
    use(async (path) => {
      const response = await fetch(path);
      if (response.status === 404) return null;
      if (!response.ok) throw new Error(`${path}: status ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    });
  }

  async function use(read) {
    try {
      const folder = await openFolder(verifier, read);
      const { publisher, as_of } = folder.about;
      show(at("about"), [[
        "",
        `Records of ${publisher}, as of ${as_of}. Later changes are not in this folder.`,
      ]]);
      at("checks").hidden = false;
      on(
        "file",
        at("file"),
        async () => ofFile(await folder.checkFile(await bytesOf(at("file").files[0]))),
      );
      on(
        "chain",
        at("chain"),
        async () => ofChain(await folder.checkChain(await at("chain").files[0].text())),
      );
      on("hash", at("hash"), async () => ofChain(await folder.checkChain(at("hash").value)));
    } catch (error) {
      show(at("about"), [["bad", `This is not the folder: ${error.message}`]]);
    }
  }

  function on(name, input, check) {
    input.onchange = async () => {
      const output = at(`${name}-result`);
      show(output, [["", "Checking …"]]);
      show(output, await check().catch(({ message }) => [["bad", `Not checked: ${message}`]]));
    };
  }
}

const bytesOf = async (file) => new Uint8Array(await file.arrayBuffer());

function ofFile({ sha256, results }) {
  if (results.length === 0) {
    return [["warning", `No statement about this file is in the folder. SHA-256: ${sha256}`]];
  }
  return results.flatMap(({ match, result }) => {
    const { issuer, issuer_domain, registrar, version, registered_at, expires_at, newest } = match;
    const isExpired = expires_at !== undefined && Date.parse(expires_at) <= Date.now();
    const state = match.state === "current" && isExpired ? "expired" : match.state;
    return [
      [result.ok && state === "current" ? "good" : "warning", `State: ${state}`],
      [
        "",
        `Issuer: ${issuer}${
          issuer_domain ? ` (${issuer_domain})` : ""
        }. Registered by ${registrar}.`,
      ],
      ["", `Version ${version}, registered at ${registered_at}.`],
      ...newest ? [["warning", `Version ${newest.version} is newer.`]] : [],
      [result.sentence.tone, result.sentence.text],
    ];
  });
}

function ofChain(result) {
  if (result === null) return [["warning", "The folder has no record with this hash."]];
  const { ok, hash, events, chain, sentence } = result;
  return [
    [
      ok ? "good" : "bad",
      ok
        ? `The chain verifies: ${events.length} events.`
        : `Not valid: ${chain.message ?? sentence.text}`,
    ],
    ["", `Hash: ${hash}. Compare it with the QR code or the printout.`],
    ...ok ? [[sentence.tone, sentence.text]] : [],
    ...events.map(({ seq, kind, at }) => ["", `${seq}  ${at}  ${kind}`]),
  ];
}

/** Shows lines, each with its tone. */
function show(output, lines) {
  output.replaceChildren(...lines.map(([tone, text]) => {
    const line = document.createElement("p");
    line.className = tone;
    line.textContent = text;
    return line;
  }));
}
