/** What is mutated in one run, by which tests mutants are met, and how many of them these must kill. */
export interface Part {
  /** Globs of the sources. */
  readonly mutate: readonly string[];
  /** Globs of the tests. */
  readonly tests: readonly string[];
  readonly bars: readonly Bar[];
}

/** The least share of mutants that is killed, in percent. It only rises: `pnpm check:bars` compares it with main's. */
export interface Bar {
  readonly least: number;
  /** Which of the sources; all if absent. */
  readonly files?: readonly string[];
}

/** A mutant that no test can tell from the original. */
export interface Equivalent {
  readonly file: string;
  /** The code that is mutated, with single blanks. */
  readonly code: string;
  readonly becomes: string;
  /** Why that makes no difference. */
  readonly because: string;
}

/** `pnpm mutation core`: the parts by name. A workflow runs each in the night. */
export const parts: Readonly<Record<string, Part>> = {
  core: {
    mutate: ["packages/core/src/**/*.ts", "!**/*.test.ts", "!**/preview-main.ts"],
    tests: ["packages/core/src/**/*.test.ts"],
    bars: [
      { least: 95 },
      ...["gain", "reach", "preview"].map((name) => ({ least: 90, files: [`packages/core/src/${name}.ts`] })),
    ],
  },
  scorecards: {
    mutate: ["packages/{security,reliability,application}/src/**/*.ts", "!**/*.{test,cases}.ts"],
    tests: ["packages/{security,reliability,application}/src/**/*.test.ts"],
    bars: [{ least: 100 }],
  },
  reports: {
    mutate: ["packages/reports/src/{detect,merge,document,measurement,derive,held}.ts"],
    // Those about these files. With the tests of all formats a mutant that survives takes a minute.
    tests: [
      "packages/reports/src/{derive,detect,held,merge,document,describe,recognize,read-report}.test.ts",
      "packages/reports/src/{silence,truncated,assumed-severity,coverage,repeated-records}.test.ts",
    ],
    bars: [{ least: 90 }],
  },
};
