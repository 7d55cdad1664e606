const location = {
  physicalLocation: {
    artifactLocation: { uri: "src/cart.ts" },
    region: { startLine: 7, snippet: { text: "eval(x)" } },
  },
};

/** A result without a level, with other members. */
export function result(others: object = {}): object {
  return { ruleId: "no-eval", message: { text: "Do not evaluate input" }, locations: [location], ...others };
}

/** A result of each level. */
export function levels(...given: readonly (string | undefined)[]): object[] {
  return given.map((level) => result(level === undefined ? {} : { level }));
}

/** A run; without results where they are undefined. */
export function run(results: unknown, driver: object = {}, others: object = {}): object {
  return {
    tool: { driver: { name: "Lint", semanticVersion: "1.2.3", rules: [], ...driver } },
    ...(results !== undefined && { results }),
    ...others,
  };
}

export function log(...runs: readonly object[]): object {
  return { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs };
}

export function rule(id: string, others: object = {}): object {
  return { id, ...others };
}
