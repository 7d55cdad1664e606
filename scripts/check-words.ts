import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { formerWords, occurrences } from "./glossary.ts";

const root = new URL("..", import.meta.url);
const glossary = "docs/concepts.md";

/** What is checked. */
const checked = [
  "*.md",
  "{bench,docs}/*.md",
  ...["services/*/{bench,deploy,e2e,faults,processes,scripts,src,test}/**", "services/*/*.md"],
  ...["packages/*/{bench,e2e,processes,test}/**", "scripts/**", "test-support/**"],
  ...["packages/*/README.md", "packages/*/src/**", "packages/*/examples/**", "packages/*/templates/**"],
];

/** Where a former word stays, because it is the word of somebody else. */
const exceptions: readonly { readonly word?: string; readonly files: string; readonly because: string }[] = [
  { files: glossary, because: "it lists the words" },
  { files: "**/*.generated.ts", because: "it is made from what is checked" },
  { files: "scripts/{check-words,glossary,glossary.test}.ts", because: "it looks for the words" },
  {
    word: "alias",
    files:
      "{packages/yaml/src/*,services/*/src/auth/oidc-config.test.ts,packages/cli/test/untrusted-repository.test.ts}",
    because: "YAML has aliases",
  },
  {
    word: "alias",
    files: "packages/reports/{src/formats/{osv-scanner,pip-audit}*,bench/scanners.ts}",
    because: "vulnerabilities have aliases",
  },
  { word: "alias", files: "scripts/api-reference.ts", because: "TypeScript has aliases of types" },
  { word: "alias", files: "packages/catalog/test/components.test.ts", because: "YAML has aliases" },
  {
    word: "alias",
    files: "packages/cli/{src/other-names,test/verbs.test}.ts",
    because: "it leads from former commands to those of today",
  },
  {
    word: "raw result",
    files: "docs/architecture.md",
    because: "a file of the CLI has this name",
  },
];

// Usage: node scripts/check-words.ts. Finds the words that the glossary has replaced.
const words = formerWords(read(glossary));
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n");
const faults = files
  .filter((file) => checked.some((pattern) => matchesGlob(file, pattern)) && /\.(md|tsx?|css|ya?ml|html)$/.test(file))
  .flatMap((file) =>
    occurrences(words, file, read(file))
      .filter(({ text }) => !exceptions.some(({ word = text, files }) => word === text && matchesGlob(file, files)))
      .map(
        ({ text, term, line }) =>
          `${file}${line > 0 ? `:${line}` : ""}: “${text}” has left; the glossary has “${term}”`,
      ),
  );
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`none of the ${words.length} words that left ${glossary} is used`);

function read(file: string): string {
  return readFileSync(fileURLToPath(new URL(file, root)), "utf8");
}
