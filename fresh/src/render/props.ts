/** Writes the props of islands into the page's script. */
import type { ComponentChildren, VNode } from "preact";
import { uneval } from "devalue";
import { isJsx, isSignal } from "./vnodes.ts";

export type Props = Record<string, unknown>;

/** Replaces JSX, and arrays that contain JSX, in an island's props by slots. */
export function withSlots(props: Props, slot: (content: ComponentChildren) => VNode): Props {
  const own = { ...props };
  for (const [key, value] of Object.entries(props)) {
    if (typeof value === "object" && [value].flat(Infinity).some(isJsx)) {
      own[key] = slot(value as ComponentChildren);
    }
  }
  return own;
}

/**
 * Serializes the props of all islands of a page for its script: as JSON where that preserves the
 * values, and otherwise as the JavaScript that devalue generates. That also preserves dates, maps,
 * sets, bigints, undefined, signals and identity, and needs no parser in the browser.
 *
 * @param slotId Returns the number of a slot, or -1 for other JSX
 * @returns A JavaScript expression of the array of props, and the client modules that it uses
 * @throws {TypeError} naming the island and the prop that can't be serialized
 */
export function serializeProps(
  list: { island: string; props: Props }[],
  slotId: (vnode: VNode) => number,
): { expression: string; needs: ("slots" | "signals")[] } {
  const all = list.map((item) => item.props);
  if (all.every((props) => isJson(props, []))) {
    // These characters could end the script element, start a comment in it, or end a line.
    const expression = JSON.stringify(all).replace(
      /[<\u2028\u2029]/g,
      (char) => "\\u" + char.charCodeAt(0).toString(16).padStart(4, "0"),
    );
    return { expression, needs: [] };
  }
  const needs = new Set<"slots" | "signals">();
  try {
    const expression = uneval(all, (value, js) => {
      if (isSignal(value)) {
        needs.add("signals");
        return js`signals.signal(${value.peek()})`;
      }
      if (isJsx(value)) {
        const id = slotId(value);
        if (id < 0) throw new TypeError("JSX inside an object");
        needs.add("slots");
        return js`slots.slot(${id})`;
      }
    });
    return { expression, needs: [...needs] };
  } catch (error) {
    throw serializationError(list, error);
  }
}

/** Returns whether parsing the value's JSON results in the same value. */
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
  const path = [...ancestors, value];
  if (Array.isArray(value)) {
    // Not every(), which skips the holes of sparse arrays.
    for (let i = 0; i < value.length; i++) if (!isJson(value[i], path)) return false;
    return true;
  }
  if (!isPlainObject(value) || isJsx(value)) return false;
  // In a script, the JSON key "__proto__" would set the prototype instead of a property.
  return Object.keys(value).every((key) =>
    key !== "__proto__" && isJson((value as Props)[key], path)
  );
}

function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function serializationError(list: { island: string }[], error: unknown): TypeError {
  const { path, message } = error as { path?: string; message: string };
  const [, index, rest] = /^\[(\d+)\]\.?(.*)$/s.exec(path ?? "") ?? [];
  const island = list[Number(index)]?.island ?? "?";
  return new TypeError(
    `Island <${island}>: the prop "${rest ?? "?"}" can't be serialized: ${message}`,
    { cause: error },
  );
}
