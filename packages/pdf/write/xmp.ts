/** The standards that a PDF claims to follow. */
export interface Claims {
  /** PDF/UA-1 (ISO 14289-1): screen readers can read all of it. */
  accessible: boolean;
  /** PDF/A-2u (ISO 19005-2): it looks and reads the same in any program, now and later. */
  archivable: boolean;
}

/** The metadata of a PDF. */
export interface Description {
  title: string;
  author: string;
  subject?: string;
  keywords?: string;
  /** When it was made, as ISO 8601 in UTC. */
  at: string;
  /** When it was changed since. */
  changedAt?: string;
  claims: Claims;
}

/** The program that makes our PDFs. */
export const PRODUCER = "Gatehouse";

/** The properties that a PDF claims with, which XMP itself does not know. */
export const PDFA_ID = "http://www.aiim.org/pdfa/ns/id/";
export const PDFUA_ID = "http://www.aiim.org/pdfua/ns/id/";

const SPACES = {
  dc: "http://purl.org/dc/elements/1.1/",
  pdf: "http://ns.adobe.com/pdf/1.3/",
  xmp: "http://ns.adobe.com/xap/1.0/",
  pdfaid: PDFA_ID,
  pdfuaid: PDFUA_ID,
  pdfaExtension: "http://www.aiim.org/pdfa/ns/extension/",
  pdfaSchema: "http://www.aiim.org/pdfa/ns/schema#",
  pdfaProperty: "http://www.aiim.org/pdfa/ns/property#",
};

/** Declares `pdfuaid`, because PDF/A allows no property that nothing declares. */
const EXTENSION = `<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${PDFUA_ID}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>The part of ISO 14289 that the file follows</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>`;

/** Returns the metadata of a PDF (ISO 16684-1), which say the same as its Info dictionary. */
export function writeXmp(
  { title, author, subject, keywords, at, changedAt = at, claims }: Description,
): string {
  const time = (at: string) => `${at.slice(0, 19)}Z`;
  const properties = [
    "<dc:format>application/pdf</dc:format>",
    `<dc:title>${inAnyLanguage(title)}</dc:title>`,
    `<dc:creator><rdf:Seq><rdf:li>${escape(author)}</rdf:li></rdf:Seq></dc:creator>`,
    ...subject === undefined ? [] : [`<dc:description>${inAnyLanguage(subject)}</dc:description>`],
    ...keywords === undefined ? [] : [`<pdf:Keywords>${escape(keywords)}</pdf:Keywords>`],
    `<pdf:Producer>${PRODUCER}</pdf:Producer>`,
    `<xmp:CreateDate>${time(at)}</xmp:CreateDate>`,
    `<xmp:ModifyDate>${time(changedAt)}</xmp:ModifyDate>`,
  ];
  if (claims.archivable) {
    properties.push("<pdfaid:part>2</pdfaid:part>", "<pdfaid:conformance>U</pdfaid:conformance>");
  }
  if (claims.accessible) properties.push("<pdfuaid:part>1</pdfuaid:part>", EXTENSION);
  const spaces = Object.entries(SPACES).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" ${spaces.join("\n  ")}>
${properties.join("\n")}
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`;
}

const inAnyLanguage = (text: string): string =>
  `<rdf:Alt><rdf:li xml:lang="x-default">${escape(text)}</rdf:li></rdf:Alt>`;

const ESCAPED: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

const escape = (text: string): string => text.replace(/[&<>]/g, (letter) => ESCAPED[letter]);

/** Returns a text without the characters that XML cannot contain, so that Info and XMP can be equal. */
export const inXml = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
