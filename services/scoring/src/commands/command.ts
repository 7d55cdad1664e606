import type { Readable, Writable } from "node:stream";
import type { Command } from "commander";
import type { Database } from "../store/database.ts";

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The environment and the streams of a process, such as Node's `process`. */
export interface Io {
  readonly env: Env;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** The work of a command on the database. Returns the text to print. */
export type Action = (database: Database) => Promise<string>;

/** The context in which a command runs. */
export interface Context {
  readonly io: Io;
  readonly now: Date;
  /**
   * Runs an action on the database of the settings, and prints what it returns.
   *
   * @param use `write`, the default, migrates the schema first; `read` leaves the schema as it is, so that the action also
   * works on a replica; `make` makes the embedded database where there is none
   */
  onDatabase(action: Action, use?: "read" | "write" | "make"): Promise<void>;
}

/**
 * Defines the arguments, options and action of a command. A file with such a function imports no large package: the action
 * loads what it alone needs, so that help and errors of the command line appear at once.
 */
export type Define = (command: Command, context: Context) => void;
