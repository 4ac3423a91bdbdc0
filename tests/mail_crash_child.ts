/**
 * A process that requests sign-in links and registers enquiries until it is killed. It prints `ready`,
 * waits for a line, and prints `1` after each enquiry.
 *
 *     deno run -A mail_crash_child.ts <store> <mail API> <prefix of the addresses>
 */
import { contactUrls, submissionSchema } from "../lib/features/contact/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createServices, type Services } from "../lib/app/services.ts";
import { crashConfig } from "./mail_crash_config.ts";

/** Written out here, because the fixtures of the contact form take long to load. */
const PERSON = {
  name: "Ada Example",
  organisation: "Zephyrine Holdings",
  mobile: { country: "AU", number: "0412 345 678" },
  enquiry_type: "Investor",
  message: "A message.",
  elapsed_ms: 8_000,
};

/** Requests sign-in links and registers enquiries without an end. */
export async function requestForever(
  { auth, contact, mailer, surfaces, ...services }: Services,
  prefix: string,
  onEnquiry: () => void,
): Promise<never> {
  const urls = contactUrls(surfaces.get("api")!, { surfaces, ...services })!;
  async function work(worker: number): Promise<never> {
    for (let i = 0;; i++) {
      const email = `${prefix}-${worker}-${i}@example.org`;
      const [surface, responded] = [surfaces.get("site")!, Promise.resolve()];
      await auth.requestLink({ email, clientAddress: "192.0.2.1", surface, responded });
      const submission = submissionSchema.parse({ ...PERSON, email });
      const sender = { organisation: "commercial", clientAddress: "192.0.2.1" } as const;
      await contact.register(submission, sender, urls);
      onEnquiry();
      await mailer.flush();
    }
  }
  services.jobs.start();
  return await Promise.race([work(0), work(1), work(2)]);
}

if (import.meta.main) {
  const [path, mailApi, prefix] = Deno.args;
  const services = createServices(crashConfig(path, mailApi), await openKv(path));
  const print = (value: unknown) =>
    Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(value) + "\n"));
  print("ready");
  await Deno.stdin.read(new Uint8Array(1));
  await requestForever(services, prefix, () => print(1));
}
