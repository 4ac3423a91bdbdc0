declare const process: { env: Record<string, string | undefined> };

export const api = process.env.GATEHOUSE_API!;
export const key = process.env.GATEHOUSE_API_KEY!;

export const CSV = "name,email\nGrace Student,grace@example.org\nZoë Müller,zoe@example.org\n";
export const BATCH = { title: "First aid", date: "2026-11-20" };
export const DOCUMENT = {
  recipient: { name: "Grace Student", email: "grace@example.org" },
  title: "Record of results",
  type: "Transcript",
  file: "QQ==",
  file_name: "results.txt",
};
export const VERSION = { file: "Qg==", file_name: "results.txt" };

export function expect(condition: boolean, what: string): void {
  if (!condition) throw new Error(`${what} failed`);
}
