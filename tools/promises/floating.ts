/** The check that no promise is left without somebody who handles its failure. */
import ts from "typescript";

/** A promise that nobody awaits. */
interface Finding {
  path: string;
  /** Starts at 1. */
  line: number;
  problem: string;
}

const FLOATING = "This promise is neither awaited nor returned, and its rejection is not handled.";
const UNEXPLAINED =
  "`void` needs a comment above or beside it that says why the promise never rejects.";
const CALLBACK = "The caller ignores the promise that this function returns.";

/**
 * Finds promises that nobody awaits or handles. A rejection of one would end the process or be lost, and
 * in a test it would still run when the test has closed what it uses.
 *
 * Work in the background ends in `.catch(…)` or `.then(…, …)`. `.catch(reportError)` is for work that
 * should never reject: a page then logs an error, and a process ends. `void` is enough only with a comment
 * that says why the promise never rejects. The same holds for operands of `&&`, `||`, `??`, `?:` and `,`,
 * for arrays of promises, and for functions that are passed to a caller which expects no result, such as
 * `setInterval`.
 *
 * Not found are promises in variables that are never read, values of the type `any`, and event handlers in
 * JSX, whose rejections the browser logs.
 */
export function findFloating(program: ts.Program, files: readonly string[]): Finding[] {
  const checker = program.getTypeChecker();
  const findings: Finding[] = [];

  function report(node: ts.Node, problem: string): void {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    findings.push({ path: file.fileName, line: line + 1, problem });
  }

  const callsOf = (type: ts.Type): readonly ts.Signature[] =>
    type.isUnion() ? type.types.flatMap(callsOf) : type.getCallSignatures();

  function isPromise(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some(isPromise);
    const then = type.getProperty("then");
    return then !== undefined && callsOf(checker.getTypeOfSymbol(then)).length > 0;
  }

  function holdsPromise(node: ts.Expression): boolean {
    const type = checker.getTypeAtLocation(node);
    if (isPromise(type)) return true;
    if (!checker.isArrayType(type) && !checker.isTupleType(type)) return false;
    return checker.getTypeArguments(type as ts.TypeReference).some(isPromise);
  }

  /** Returns whether an expression ends in a handler of its rejection. */
  function isHandled(node: ts.Expression): boolean {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
    const { name, expression } = node.expression;
    if (name.text === "catch") return node.arguments.length > 0;
    if (name.text === "then") return node.arguments.length > 1;
    return name.text === "finally" && isHandled(withoutParentheses(expression));
  }

  /** Checks an expression whose value is discarded. */
  function checkDiscarded(given: ts.Expression): void {
    const node = withoutParentheses(given);
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      if (kind === ts.SyntaxKind.CommaToken) checkDiscarded(node.left);
      if (DECIDING.has(kind)) return checkDiscarded(node.right);
      return; // an assignment keeps it
    }
    if (ts.isConditionalExpression(node)) {
      checkDiscarded(node.whenTrue);
      return checkDiscarded(node.whenFalse);
    }
    if (ts.isAwaitExpression(node) || ts.isVoidExpression(node) || isHandled(node)) return;
    if (holdsPromise(node)) report(node, FLOATING);
  }

  function checkVoid(node: ts.VoidExpression): void {
    const operand = withoutParentheses(node.expression);
    if (isAssignment(operand) || isHandled(operand) || !holdsPromise(operand)) return;
    if (!isExplained(node)) report(node, UNEXPLAINED);
  }

  /**
   * Checks a function that is given to a caller.
   *
   * @param anyToo whether the caller also ignores results of the type `any`
   */
  function checkCallback(node: ts.Expression, anyToo: boolean): void {
    const expected = checker.getContextualType(node);
    if (expected === undefined) return;
    const discarding = ts.TypeFlags.Void | (anyToo ? ts.TypeFlags.Any : 0);
    const calls = callsOf(checker.getNonNullableType(expected));
    const ignored = calls.length > 0 &&
      calls.every((call) => (checker.getReturnTypeOfSignature(call).flags & discarding) !== 0);
    if (!ignored) return;
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body) && !isAsync(node)) {
      const body = withoutParentheses(node.body);
      if (!isAssignment(body)) checkDiscarded(body);
      return;
    }
    const results = callsOf(checker.getTypeAtLocation(node)).map((call) =>
      checker.getReturnTypeOfSignature(call)
    );
    if (results.some(isPromise)) report(node, CALLBACK);
  }

  function visit(node: ts.Node): void {
    if (ts.isExpressionStatement(node)) checkDiscarded(node.expression);
    else if (ts.isVoidExpression(node)) checkVoid(node);
    else if (isCall(node)) {
      const name = nameOf(node);
      // It awaits its argument, although its type says otherwise.
      if (name !== "finally") {
        node.arguments?.forEach((one) => checkCallback(one, name === "addEventListener"));
      }
    }
    ts.forEachChild(node, visit);
  }

  for (const path of files) visit(program.getSourceFile(path)!);
  return findings;
}

/** Operators whose result is their right operand, or a left one that was read already. */
const DECIDING = new Set([
  ts.SyntaxKind.CommaToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const isCall = (node: ts.Node): node is ts.CallExpression | ts.NewExpression =>
  ts.isCallExpression(node) || ts.isNewExpression(node);

/** The name of the called function or method. */
const nameOf = ({ expression }: ts.CallExpression | ts.NewExpression): string | undefined =>
  ts.isPropertyAccessExpression(expression)
    ? expression.name.text
    : ts.isIdentifier(expression)
    ? expression.text
    : undefined;

const isAsync = (node: ts.ArrowFunction): boolean =>
  node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;

const isAssignment = (node: ts.Expression): boolean =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;

const withoutParentheses = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node;

/** Returns whether a comment begins or ends on the line of a node or on the line above it. */
function isExplained(node: ts.Node): boolean {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  const starts = file.getLineStarts();
  const above = file.text.slice(starts[Math.max(line - 1, 0)], starts[line]);
  const { line: last } = file.getLineAndCharacterOfPosition(node.getEnd());
  const beside = file.text.slice(node.getEnd(), starts[last + 1] ?? file.text.length);
  return /^\s*\/\/|\*\/\s*$/.test(above) || /\/\/ /.test(beside);
}
