/** A name, such as `/Font`. */
export class Name {
  constructor(readonly name: string) {}
}

/** A reference to an object. */
export class Ref {
  constructor(readonly number: number, readonly generation: number) {}
}

/** A string, whose characters are its bytes. */
export class Text {
  constructor(readonly bytes: string) {}
}

export type Dict = Map<string, Value>;

/** A stream. `bytes` are those of the file, so they are still encoded. */
export class Stream {
  constructor(readonly dict: Dict, readonly bytes: Uint8Array) {}
}

/** A keyword that is not a value, such as `endobj`. */
export class Keyword {
  constructor(readonly word: string) {}
}

export type Value = null | boolean | number | Text | Name | Ref | Value[] | Dict | Stream;

/** Thrown if bytes are not the objects of a PDF. */
export class SyntaxProblem extends Error {}

const SPACE = /[\0\t\n\f\r ]/;
const REGULAR = /[^\0\t\n\f\r ()<>[\]{}/%]*/y;
const NUMBER = /^[+-]*\d*\.?\d*(-\d*)?$/;
const REFERENCE = /(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
/** More than any real file has, and less than the stack can hold. */
const MAX_DEPTH = 200;

/** Reads values from a PDF, or from the decoded bytes of an object stream, in Latin-1. */
export class Reader {
  constructor(readonly text: string, public at = 0) {}

  /** Skips white space and comments. */
  skip(): void {
    for (;;) {
      const char = this.text.charAt(this.at);
      if (char === "%") {
        while (this.at < this.text.length && !/[\r\n]/.test(this.text[this.at])) this.at++;
      } else if (char !== "" && SPACE.test(char)) this.at++;
      else return;
    }
  }

  /** Reads a value or a keyword. */
  read(depth = 0): Value | Keyword {
    if (depth > MAX_DEPTH) throw new SyntaxProblem("too deep");
    this.skip();
    const char = this.text.charAt(this.at);
    if (char === "") throw new SyntaxProblem("the end");
    if (char === "/") return this.#name();
    if (char === "(") return this.#string();
    if (char === "<") {
      return this.text[this.at + 1] === "<" ? this.#dict(depth) : this.#hexString();
    }
    if (char === "[") return this.#array(depth);
    if (/\d/.test(char)) {
      REFERENCE.lastIndex = this.at;
      const match = REFERENCE.exec(this.text);
      if (match !== null) {
        this.at = REFERENCE.lastIndex;
        return new Ref(Number(match[1]), Number(match[2]));
      }
    }
    const word = this.#regular();
    if (word === "") {
      this.at++;
      return new Keyword(char);
    }
    if (word === "true" || word === "false") return word === "true";
    if (word === "null") return null;
    if (/[\d.]/.test(word) && NUMBER.test(word)) return toNumber(word);
    return new Keyword(word);
  }

  /** Reads a value. */
  value(depth = 0): Value {
    const value = this.read(depth);
    if (value instanceof Keyword) throw new SyntaxProblem(`an unexpected ${value.word}`);
    return value;
  }

  #regular(): string {
    REGULAR.lastIndex = this.at;
    const [word] = REGULAR.exec(this.text)!;
    this.at += word.length;
    return word;
  }

  #name(): Name {
    this.at++;
    const escaped = this.#regular();
    return new Name(
      escaped.replace(/#([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
    );
  }

  #array(depth: number): Value[] {
    this.at++;
    const items: Value[] = [];
    for (;;) {
      const item = this.read(depth + 1);
      if (!(item instanceof Keyword)) items.push(item);
      else if (item.word === "]") return items;
      else throw new SyntaxProblem(`${item.word} in an array`);
    }
  }

  #dict(depth: number): Dict {
    this.at += 2;
    const dict: Dict = new Map();
    for (;;) {
      this.skip();
      if (this.text.startsWith(">>", this.at)) {
        this.at += 2;
        return dict;
      }
      const key = this.read(depth + 1);
      if (!(key instanceof Name)) throw new SyntaxProblem("a key that is not a name");
      dict.set(key.name, this.value(depth + 1));
    }
  }

  #string(): Text {
    const { text } = this;
    const parts: string[] = [];
    let open = 0;
    for (this.at++;; this.at++) {
      let char = text[this.at];
      if (char === undefined) throw new SyntaxProblem("a string without an end");
      if (char === "(") open++;
      else if (char === ")" && open-- === 0) break;
      else if (char === "\r") {
        char = "\n";
        if (text[this.at + 1] === "\n") this.at++;
      } else if (char === "\\") {
        const octal = /[0-7]{1,3}/y;
        octal.lastIndex = this.at + 1;
        const digits = octal.exec(text)?.[0];
        this.at += digits?.length ?? 1;
        char = text[this.at] ?? "";
        if (digits !== undefined) char = String.fromCharCode(parseInt(digits, 8) & 255);
        else if (char === "\r" || char === "\n") {
          if (text.startsWith("\r\n", this.at)) this.at++;
          char = "";
        } else char = ESCAPES[char] ?? char;
      }
      parts.push(char);
    }
    this.at++;
    return new Text(parts.join(""));
  }

  #hexString(): Text {
    const end = this.text.indexOf(">", this.at);
    if (end === -1) throw new SyntaxProblem("a string without an end");
    const digits = this.text.slice(this.at + 1, end).replace(/[^\da-f]/gi, "");
    this.at = end + 1;
    const pairs = (digits.length % 2 === 0 ? digits : `${digits}0`).match(/../g) ?? [];
    return new Text(pairs.map((pair) => String.fromCharCode(parseInt(pair, 16))).join(""));
  }
}

/** Reads a number as viewers do: `--5` is −5, and `1-2` is 1. */
function toNumber(word: string): number {
  const [, signs, digits] = /^([+-]*)([\d.]*)/.exec(word)!;
  const value = Number(digits);
  return signs.includes("-") ? -value : value;
}
