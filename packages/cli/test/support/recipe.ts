/** The report of a tool, as the recipe under its heading has it written. */
export interface Recipe {
  /** The program that writes it; without it, the report is there. */
  readonly tool?: string;
  /** Where; without it, to standard output. */
  readonly file?: string;
  /** How the tool ends, when that is not 0. */
  readonly exit?: number;
  /** A text, or what is written as JSON. */
  readonly report: unknown;
  /** What is stored: metric → raw values. */
  readonly scores?: Readonly<Record<string, object>>;
  /** And the problem. */
  readonly problem?: object;
}
