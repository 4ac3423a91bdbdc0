/**
 * Policies: which logs a reader accepts, and whose countersignatures count (C2SP tlog-policy).
 *
 * @module
 */
import { parseUrl } from "../../../lib/base/urls.ts";
import { isChecked, isWitnessKey, LOG_KEY, parseVerifierKey, type VerifierKey } from "./note.ts";

/** A log of a policy. */
export interface PolicyLog {
  key: VerifierKey;
  url: string | null;
}

/** A witness of a policy. */
export interface PolicyWitness {
  /** Its name in the policy, which people see. */
  name: string;
  /** If its algorithm is not supported here, the witness counts as one that has not signed. */
  key: VerifierKey;
  /** The start of its addresses; null if it is not asked, only verified. */
  url: string | null;
  /** True if a comment says that the operator of the log runs it, so that it proves nothing against it. */
  own: boolean;
}

/** Returns the comment by which a policy says that the operator of its log also runs a witness. */
export const ownWitnessComment = (name: string): string =>
  `# ${name} is run by the operator of the log, so it proves nothing against it.`;

/** A group of witnesses and other groups, of which a number must have signed. */
interface PolicyGroup {
  name: string;
  threshold: number;
  members: string[];
}

/** The logs and witnesses that a reader trusts, and the quorum of witnesses. */
export interface Policy {
  logs: PolicyLog[];
  witnesses: PolicyWitness[];
  groups: PolicyGroup[];
  /** The name of the witness or group whose signatures a checkpoint needs; null for none. */
  quorum: string | null;
}

/** A policy that knows nobody, so that nothing satisfies it but `quorum none`. */
export const EMPTY_POLICY: Policy = { logs: [], witnesses: [], groups: [], quorum: null };

/** The longest policy that is read, in UTF-16 units. */
const MAX_POLICY = 64 * 1024;

/** The line of a policy that is not valid, and why. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
  readonly code = "bad_policy";

  constructor(readonly line: number, problem: string) {
    super(`Line ${line}: ${problem}`);
  }
}

/**
 * Reads a policy file.
 *
 * A line whose first character other than a space or tab is `#` is a comment. Nothing may follow the last
 * word of any other line, also no comment. Only the comments of {@link ownWitnessComment} have a meaning.
 *
 * @throws {PolicyError} for a line that is not valid: a control character other than a tab, an unknown
 * word, a key of the wrong type, a name or a public key that is used twice, a member that is not defined
 * above or is in two groups, a number that a group cannot reach, or a second quorum; and for a policy
 * without a quorum, because it would accept checkpoints that nobody has countersigned without saying so
 * @example
 * const policy = parsePolicy(`
 *   log trust.example/log+c2310144+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea
 *   witness other witness.example+67550f4e+BD1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM https://witness.example/
 *   quorum other
 * `);
 */
export function parsePolicy(text: string): Policy {
  if (text.length > MAX_POLICY) {
    throw new PolicyError(1, `a policy has at most ${MAX_POLICY} characters`);
  }
  const policy: Policy = { logs: [], witnesses: [], groups: [], quorum: null };
  const names = new Set<string>(["none"]);
  const grouped = new Set<string>();
  const keys = new Set<string>();
  const comments = new Set(text.split("\n").map((line) => line.trim()));
  let hasQuorum = false;

  const lines = text.split("\n");
  lines.forEach((line, i) => {
    const refuse = (problem: string): never => {
      throw new PolicyError(i + 1, problem);
    };
    // deno-lint-ignore no-control-regex -- they are what is refused
    if (/[\0-\x08\x0b-\x1f\x7f]/.test(line)) return refuse("control characters are not allowed");
    if (/^[ \t]*#/.test(line)) return;
    const [word, ...parts] = line.split(/[ \t]+/).filter((part) => part !== "");
    const keyOf = (text: string | undefined, of: "log" | "witness"): VerifierKey => {
      const key = text === undefined ? null : parseVerifierKey(text);
      if (key === null) return refuse("expected a key such as <name>+<id>+<base64>");
      if (of === "log" ? key.type !== LOG_KEY : !isWitnessKey(key)) {
        return refuse(`expected the key of a ${of}`);
      }
      const bytes = key.publicKey.join();
      if (keys.has(bytes)) return refuse("this public key occurs twice");
      keys.add(bytes);
      return key;
    };
    const define = (name: string): string => {
      if (names.has(name)) return refuse(`the name ${name} is used twice`);
      names.add(name);
      return name;
    };
    const urlOf = (text: string | undefined): string | null => {
      if (text === undefined) return null;
      if (!/^https?:/.test(text) || parseUrl(text) === null) {
        return refuse("expected an HTTP address");
      }
      return text;
    };
    const end = (rest: string[]) => rest.length > 0 && refuse(`${rest[0]} is not expected here`);

    switch (word) {
      case undefined:
        return;
      case "log": {
        const [vkey, url, ...rest] = parts;
        end(rest);
        return policy.logs.push({ key: keyOf(vkey, "log"), url: urlOf(url) });
      }
      case "witness": {
        const [name, vkey, url, ...rest] = parts;
        end(rest);
        const key = keyOf(vkey, "witness");
        return policy.witnesses.push({
          name: define(name),
          key,
          url: urlOf(url),
          own: comments.has(ownWitnessComment(name)),
        });
      }
      case "group": {
        const [name, count, ...members] = parts;
        const unknown = members.find((member) => !isMember(policy, member));
        if (unknown !== undefined) return refuse(`${unknown} is not defined above`);
        const twice = members.find((member, i) =>
          grouped.has(member) || members.indexOf(member) < i
        );
        if (twice !== undefined) return refuse(`${twice} is in two groups`);
        members.forEach((member) => grouped.add(member));
        const threshold = count === "all" ? members.length : count === "any" ? 1 : Number(count);
        if (
          !(/^(all|any|[1-9]\d*)$/.test(count ?? "") && threshold >= 1 &&
            threshold <= members.length)
        ) {
          return refuse("expected all, any, or a number that the members can reach");
        }
        return policy.groups.push({ name: define(name), threshold, members });
      }
      case "quorum": {
        const [name, ...rest] = parts;
        end(rest);
        if (hasQuorum) return refuse("there is another quorum above");
        if (name === undefined) return refuse("expected a name");
        if (name !== "none" && !isMember(policy, name)) {
          return refuse(`${name} is not defined above`);
        }
        hasQuorum = true;
        policy.quorum = name === "none" ? null : name;
        return;
      }
      default:
        return refuse(`${word} is not log, witness, group or quorum`);
    }
  });
  if (!hasQuorum) throw new PolicyError(lines.length, "expected a quorum, such as quorum none");
  return policy;
}

const isMember = ({ witnesses, groups }: Policy, name: string): boolean =>
  [...witnesses, ...groups].some((each) => each.name === name);

/** Returns whether the witnesses with these names in the policy satisfy its quorum. */
export function satisfiesQuorum(policy: Policy, signed: ReadonlySet<string>): boolean {
  const isSatisfied = (name: string): boolean => {
    const group = policy.groups.find((each) => each.name === name);
    return group === undefined
      ? signed.has(name)
      : group.members.filter(isSatisfied).length >= group.threshold;
  };
  return policy.quorum === null || isSatisfied(policy.quorum);
}

/**
 * Returns the names of witnesses whose lines cannot be verified here, because their keys are of a later algorithm.
 * They count as absent.
 */
export const uncheckedWitnesses = ({ witnesses }: Policy): string[] =>
  witnesses.filter(({ key }) => !isChecked(key)).map(({ name }) => name);

/** Says that a policy's quorum is not reached, and whose lines were not checked. */
export function quorumProblem(policy: Policy): string {
  const unchecked = uncheckedWitnesses(policy);
  const absent = unchecked.length === 0
    ? ""
    : ` The lines of ${
      unchecked.join(", ")
    } were not checked, because the algorithm of that key is not ` +
      "supported here yet.";
  return `Too few of the known witnesses have countersigned.${absent}`;
}
