/**
 * An incident by the documents: a bad deployment, a version with a new format of the store, a store that is restored
 * from a backup, replaced keys, and a lost witness. Run it before a release with `deno task rehearse`; it takes about
 * ten minutes on a quiet machine. It follows the commands of docs/ literally, on a folder that has the place of a
 * machine, and says which sentence or command was wrong.
 *
 * `--folder=<path>` keeps the folder, and uses the versions that are built in it again.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { DocumentError, readSection, type Section } from "./documents.ts";
import { createMachine, type Machine } from "./machine.ts";
import { isReady } from "./parts/people.ts";
import { PARTS } from "./parts/mod.ts";
import type { Followed, RunStep, Step } from "./steps.ts";

/** How much of a command's output is printed if it was wrong. */
const SHOWN_LINES = 30;

/** A command or an event that failed, so that what follows makes no sense. */
class StopError extends Error {}

const { values } = parseArgs({ options: { folder: { type: "string" } } });
const began = Date.now();
await using machine = await createMachine(values.folder);
let wrong = 0;
for (const { title, sections } of PARTS) {
  console.log(`\n${title}`);
  try {
    for (const followed of sections) await follow(machine, followed);
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    console.log("What follows in this part depends on it, so the rest is left out.");
    if (await isReady(machine)) continue;
    console.log("The site is not ready, so the rehearsal ends here.");
    break;
  }
}
const minutes = ((Date.now() - began) / 60_000).toFixed(1);
console.log(
  wrong === 0
    ? `\nEverything was as the documents say (${minutes} minutes).`
    : `\n${wrong} of the sentences and commands were wrong (${minutes} minutes).`,
);
Deno.exitCode = wrong === 0 ? 0 : 1;

/** Follows a section of a document. */
async function follow(machine: Machine, followed: Followed): Promise<void> {
  const section = readSection(followed.document, followed.heading);
  for (const step of followed.steps) {
    if ("leavesOut" in step) continue;
    const place = placeOf(section, step);
    try {
      await take(machine, followed, section, step);
      console.log(`   ok  ${place}`);
    } catch (error) {
      wrong++;
      const reason = error instanceof Error ? error.message : String(error);
      console.log(`wrong  ${place}`);
      console.log(reason.trim().split("\n").map((line) => `         ${line}`).join("\n"));
      if (!("says" in step)) throw new StopError();
    }
  }
}

function placeOf({ path, heading, find, lines }: Section, step: Step): string {
  const { quote, at } = "says" in step
    ? { quote: step.says, at: find(step.says) }
    : "happens" in step
    ? { quote: `(${step.happens})`, at: null }
    : lines.map(({ text, at }) => ({ quote: text, at })).find(({ quote }) =>
      quote.startsWith("run" in step ? step.run : "adds" in step ? step.adds : step.leavesOut)
    ) ?? { quote: "?", at: null };
  return `${path}${at === null ? "" : `:${at}`}, “${heading}”: ${quote.replaceAll(/\s+/g, " ")}`;
}

async function take(
  machine: Machine,
  { onTheStore = false }: Followed,
  section: Section,
  step: Exclude<Step, { leavesOut: string }>,
): Promise<void> {
  if ("happens" in step) return await step.act(machine);
  if ("says" in step) {
    if (section.find(step.says) === null) throw new DocumentError("The section does not say this.");
    return await step.check(machine, machine.last);
  }
  const begin = "run" in step ? step.run : step.adds;
  const line = section.lines.find(({ text }) => text.startsWith(begin));
  if (line === undefined) throw new DocumentError(`The section has no command “${begin}”.`);
  let command = onTheStore ? line.text.replace("deno task", "deploy/gatehouse.sh run") : line.text;
  for (const [text, value] of Object.entries(await step.with?.(machine) ?? {})) {
    if (!command.includes(text)) throw new DocumentError(`The command lacks “${text}”.`);
    command = command.replaceAll(text, value);
  }
  await ("run" in step
    ? run(machine, machine.moved(command), step)
    : add(machine, machine.moved(command)));
}

async function run(machine: Machine, command: string, step: RunStep): Promise<void> {
  if (step.starts !== undefined) {
    machine.witness = machine.start(step.starts.replaceAll("/", "-"), command);
    return await step.check?.(machine, machine.last);
  }
  const ran = machine.last = await machine.shell(command, step.input?.(machine));
  const shown = `$ ${command}\n${ran.output.split("\n").slice(-SHOWN_LINES).join("\n")}`;
  const { status = 0 } = step;
  if (ran.status !== status) {
    throw new DocumentError(`It exited with ${ran.status} instead of ${status}.\n${shown}`);
  }
  try {
    await step.check?.(machine, ran);
  } catch (error) {
    throw new DocumentError(`${error instanceof Error ? error.message : error}\n${shown}`);
  }
}

/** Adds a line to the file of variables, and removes the variable that it replaces. */
async function add(machine: Machine, line: string): Promise<void> {
  const [, name, value] = /^(\w+)=(.*)$/.exec(line)!;
  await machine.configure({ [name]: value, [name.replace(/_FILE$/, "")]: null });
}
