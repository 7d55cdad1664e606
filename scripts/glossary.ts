import ts from "typescript";

/** A word that the project uses no more. */
export interface FormerWord {
  /** One or several words in lower case; of a name in code the name itself. */
  readonly text: string;
  /** Whether only a name in code may not be this word: in a sentence it has another meaning. */
  readonly isName: boolean;
  /** The term to use instead. */
  readonly term: string;
}

/** A former word in a file. */
export interface Occurrence extends FormerWord {
  /** From 1; 0 is the path of the file. */
  readonly line: number;
}

/** Reads the words that left from the tables of a glossary: the first column has the term, the third the words. */
export function formerWords(glossary: string): FormerWord[] {
  return glossary.split("\n").flatMap((line) => {
    const [start, term, , words, end] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (start !== "" || end !== "" || !term || !words || /^(Not|-+)$/.test(words)) return [];
    return words.split(/,\s*/).map((word): FormerWord => {
      const name = /^`(.+)`$/.exec(word)?.[1];
      return { text: name ?? word.toLowerCase(), isName: name !== undefined, term: term.replaceAll("`", "") };
    });
  });
}

/** Finds former words in a file: in its path, its sentences and the parts of its names, such as `fresh_coverage`. */
export function occurrences(words: readonly FormerWord[], path: string, text: string): Occurrence[] {
  const found = [...matches(words, path).map((one) => ({ ...one, line: 0 })), ...matches(words, text)];
  if (/\.tsx?$/.test(path)) found.push(...namesIn(words, path, text));
  return found.sort((a, b) => a.line - b.line);
}

/** Matches words one after another, so that neither a line break nor the case of a name hides a word. */
function matches(words: readonly FormerWord[], text: string): Occurrence[] {
  const byFirst = Map.groupBy(
    words.filter(({ isName }) => !isName).map((word) => ({ word, parts: word.text.split(" ") })),
    ({ parts }) => parts[0],
  );
  const found: Occurrence[] = [];
  const lines = text.split("\n").map((line) => line.match(/[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]*|[.;:!?|0-9]/g) ?? []);
  const all = lines.flatMap((parts, index) => parts.map((part) => ({ part: part.toLowerCase(), line: index + 1 })));
  for (const [start, { part, line }] of all.entries()) {
    for (const { word, parts } of singulars(part).flatMap((first) => byFirst.get(first) ?? [])) {
      const own = parts.map((_, index) => all[start + index]?.part ?? "");
      const fits = own.every(
        (one, index) =>
          one === parts[index] || (index === own.length - 1 && singulars(one).includes(parts[index] ?? "")),
      );
      if (fits) found.push({ ...word, line });
    }
  }
  return found;
}

/** A word, and what it may be the plural of. */
function singulars(word: string): string[] {
  return [...new Set([word, word.replace(/s$/, ""), word.replace(/es$/, ""), word.replace(/ies$/, "y")])];
}

function namesIn(words: readonly FormerWord[], path: string, text: string): Occurrence[] {
  const names = new Map(words.filter(({ isName }) => isName).map((word) => [word.text, word]));
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Occurrence[] = [];
  const visit = (node: ts.Node): void => {
    const word = ts.isIdentifier(node) ? names.get(node.text) : undefined;
    if (word) found.push({ ...word, line: source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1 });
    ts.forEachChild(node, visit);
  };
  if (names.size > 0) visit(source);
  return found;
}
