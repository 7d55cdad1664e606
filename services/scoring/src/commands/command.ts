import type { Readable, Writable } from "node:stream";
import type { Command } from "commander";
import { OperatorError } from "../model/errors.ts";
import type { Database } from "../store/database.ts";

/** What a process has from outside. Node's `process` is one. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** What a command does with the database. Returns the text to print. */
export type Action = (database: Database) => Promise<string>;

/** What a command works with. */
export interface Context {
  readonly io: Io;
  readonly now: Date;
  /**
   * Runs an action on the database of the settings, and prints what it returns.
   *
   * @param use `read` for an action that only reads, and leaves the schema as it is, so that it works on a replica too; it
   * gets its schema up to date otherwise
   */
  onDatabase(action: Action, use?: "read" | "write"): Promise<void>;
}

/**
 * Gives a command its arguments, its options and its action. The file that does so imports no large package: whatever only
 * the action needs is loaded by the action, so that help and a refusal come at once.
 */
export type Define = (command: Command, context: Context) => void;

/** A command that was called the right way cannot be carried out. The message says why. */
export class CommandError extends OperatorError {
  override readonly name = "CommandError";
}
