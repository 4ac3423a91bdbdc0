import { type ComponentChildren, isValidElement, type VNode } from "preact";
import { uneval } from "devalue";

/** How the props of a page's islands reach its script. */
export interface SerialisedProps {
  /** A JavaScript expression of the array of all props. */
  expression: string;
  /** Client modules that the expression uses, each as a namespace of its name. */
  needs: string[];
}

type Props = Record<string, unknown>;

const SIGNAL = Symbol.for("preact-signals");

/** Replaces JSX anywhere in an island's props by slots; leaves props without any as they are. */
export function withSlots(props: Props, slot: (content: ComponentChildren) => VNode): Props {
  const replace = (value: unknown, ancestors: unknown[]): unknown => {
    if (typeof value !== "object" || value === null || ancestors.includes(value)) return value;
    if (isVNode(value)) return slot(value);
    const line = [...ancestors, value];
    if (Array.isArray(value)) {
      const items = value.map((item) => replace(item, line));
      return items.some((item, i) => item !== value[i]) ? items : value;
    }
    if (!isPlainObject(value)) return value;
    let copy: Props | null = null;
    for (const [key, item] of Object.entries(value)) {
      const replaced = replace(item, line);
      if (replaced !== item) (copy ??= { ...value })[key] = replaced;
    }
    return copy ?? value;
  };
  return replace(props, []) as Props;
}

/**
 * Writes the props of all islands of a page into its script: as JSON where that says all, else as
 * the JavaScript that devalue makes of them, which keeps dates, maps, sets, bigints, undefined,
 * signals, and identity, and needs no parser in the browser.
 *
 * @throws {TypeError} naming the island and the prop that cannot travel
 */
export function serialise(list: { island: string; props: Props }[]): SerialisedProps {
  const all = list.map((item) => item.props);
  if (all.every((props) => isJson(props, []))) {
    return { expression: inScript(JSON.stringify(all)), needs: [] };
  }
  const needs = new Set<string>();
  try {
    const expression = uneval(all, (value, js) => {
      if (isSignal(value)) {
        needs.add("signals");
        return js`signals.signal(${value.peek()})`;
      }
      if (isVNode(value)) {
        needs.add("slots");
        return js`slots.slot(${(value.props as unknown as { id: number }).id})`;
      }
    });
    return { expression, needs: [...needs] };
  } catch (error) {
    throw unserialisable(list, error);
  }
}

/** True when JSON gives back the very same value. */
function isJson(value: unknown, ancestors: unknown[]): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0);
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (ancestors.includes(value)) return false;
  const line = [...ancestors, value];
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (!isJson(value[i], line)) return false;
    }
    return true;
  }
  if (!isPlainObject(value) || isVNode(value)) return false;
  for (const key of Object.keys(value)) {
    // In a script, JSON's "__proto__" would set the prototype instead of a property.
    if (key === "__proto__" || !isJson((value as Props)[key], line)) {
      return false;
    }
  }
  return true;
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * To Preact whatever has no constructor is a vnode: objects without a prototype too, and signals,
 * so that JSX may hold them. Those travel as themselves.
 */
function isVNode(value: unknown): value is VNode {
  return isValidElement(value) && Object.hasOwn(value, "constructor") && !isSignal(value);
}

/** Signals are known by their brand, so that pages without any need not load the library. */
function isSignal(value: unknown): value is { peek(): unknown } {
  return typeof value === "object" && value !== null &&
    (value as { brand?: unknown }).brand === SIGNAL;
}

/** Nothing in the text may end the script element or start a comment in it. */
function inScript(text: string): string {
  return text.replace(
    /[<\u2028\u2029]/g,
    (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

function unserialisable(list: { island: string }[], error: unknown): TypeError {
  const { path, message } = error as { path?: string; message: string };
  const [, index, rest] = /^\[(\d+)\]\.?(.*)$/s.exec(path ?? "") ?? [];
  const island = list[Number(index)]?.island ?? "?";
  return new TypeError(
    `Island <${island}>: the prop "${rest ?? "?"}" cannot travel to the browser: ${message}`,
    { cause: error },
  );
}
