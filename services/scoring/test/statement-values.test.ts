import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");

test("each value of a statement has a cast, so that SQL that was meant as text of the statement is no value", () => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const source = join(import.meta.dirname, "../src");
  const files = ts.sys.readDirectory(source, [".ts"]).filter((file) => !file.endsWith(".test.ts"));
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  const found: string[] = [];
  let count = 0;
  for (const file of program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(source))) visit(file);
  expect(count).toBeGreaterThan(300);
  expect(found).toEqual([]);

  function visit(node: ts.Node): void {
    ts.forEachChild(node, visit);
    if (!ts.isTaggedTemplateExpression(node) || !ts.isTemplateExpression(node.template) || !isOfStatement(node.tag))
      return;
    for (const { expression, literal } of node.template.templateSpans) {
      count++;
      if (literal.text.startsWith("::") || isSql(checker.getTypeAtLocation(expression))) continue;
      const file = node.getSourceFile();
      const { line } = file.getLineAndCharacterOfPosition(expression.getStart());
      found.push(`${file.fileName.slice(source.length + 1)}:${line + 1} has no cast of \${${expression.getText()}}`);
    }
  }
});

/** Whether it is SQL, or a choice of SQL. */
function isSql(type: ts.Type): boolean {
  return type.isUnion() ? type.types.every(isSql) : type.symbol?.name === "Sql";
}

/** Whether a template is tagged with `sql` or with `query(…)`. */
function isOfStatement(tag: ts.Expression): boolean {
  return ts.isCallExpression(tag) ? tag.expression.getText() === "query" : tag.getText() === "sql";
}
