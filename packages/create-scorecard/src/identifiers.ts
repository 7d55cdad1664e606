/** What a constant of a module must not be called, and what the modules that are written call something else. */
const taken: readonly string[] = [
  ...["arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete"],
  ...["do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements"],
  ...["import", "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public"],
  ...["return", "static", "super", "switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void"],
  ...["while", "with", "yield", "console", "process"],
  ...["defineMetric", "defineScorecard", "halving", "logPiecewise", "lowestOf", "packageJson", "passFail"],
  ...["piecewise", "test", "cases", "checkScorecard", "name", "notACount", "notANumber", "refused", "run"],
];

/** Names of constants, each given once. */
export class Identifiers {
  readonly #taken = new Set(taken);

  /** The name as a constant: `idle_resources` is `idleResources`; where that is taken, with the suffix behind it. */
  take(name: string, suffix: string): string {
    let identifier = name.replaceAll(/_+([a-z0-9])?/g, (_, next: string = "") => next.toUpperCase());
    while (this.#taken.has(identifier)) identifier += suffix;
    this.#taken.add(identifier);
    return identifier;
  }
}
