import type { Database } from "../store/database.ts";

/** What a command does with the database. Returns what to print. */
export type Action = (database: Database) => Promise<string>;

/** A command of `maturity-service`, such as `token`. */
export interface Command {
  /** Shown by `--help`, and after a wrong use. */
  readonly usage: string;
  /**
   * Checks what stands behind the name of the command, before anything else is looked at.
   *
   * @throws UsageError
   */
  read(args: readonly string[]): Action;
}

/** A command was called the wrong way; the message says what is wrong, `usage` how it goes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message);
    this.usage = usage;
  }
}

/** A command that was called the right way cannot be done; the message says why. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
