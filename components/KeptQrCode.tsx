import { derive } from "../lib/platform/http/derived.ts";
import { QrPath, qrPath } from "./QrCode.tsx";

/** A QR code of a page that is opened again and again, of a text that is not secret. */
export const KeptQrCode = ({ text, label }: { text: string; label: string }) => (
  <QrPath {...derive("qr", text, qrPath)} label={label} />
);
