import type { Writable } from "node:stream";
import picocolors from "picocolors";
import { printable, printableJson, printableLines } from "./terminal.ts";
import { cutTo, wrapped } from "./text-width.ts";
import { isReaderGone, UnwrittenError } from "./unwritten-error.ts";

/** A stream that a program writes to. The program must end with its error, but where its reader is gone. */
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where a program prints, and the variables that say how. */
export interface Streams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

type Colors = ReturnType<typeof picocolors.createColors>;

/** Where a command prints. Results go to standard output, everything else to standard error. */
export interface Output {
  /** Whether the result is printed as JSON, in one document or in lines. */
  readonly json: boolean;
  /** The colours for `line`. */
  readonly colors: Colors;
  /** What helps against errors of the service, by their codes. */
  readonly hints: Record<string, string>;
  /** How many columns the terminal has that shows the result. Undefined if the result goes anywhere else. */
  readonly width: number | undefined;
  /**
   * Prints a line of the result; nothing with `--json`. The caller must make texts from outside safe with `printable`.
   */
  line(text: string): void;
  /** Prints a text that may come from outside; on a terminal it breaks between words. `indent` stands before each line. */
  paragraph(text: string, indent?: string, paint?: (line: string) => string): void;
  /** Prints an empty line and a title. */
  section(title: string): void;
  /** Prints the result as JSON; nothing without `--json`. */
  result(value: object): void;
  /**
   * Prints an error as JSON in a line of its own, so that it can follow results that are lines; nothing without `--json`.
   *
   * @param done what is done all the same, in the form of a result
   */
  error(error: object, done?: object): void;
  /**
   * Prints one of many results: with `--ndjson` at once in a line of its own, with `--json` once `items` is called.
   *
   * @throws UnwrittenError where nobody reads on
   */
  item(value: object): Promise<void>;
  /** Prints all results of `item` as one document, with what is said about them; nothing without `--json`. */
  items(about: object): void;
  /**
   * Prints a part of a file, with or without `--json`, and waits until the reader takes more. A terminal gets it without
   * unsafe characters, anything else as it is.
   *
   * @throws UnwrittenError where nobody reads on
   */
  write(text: string): Promise<void>;
  /** Prints a line to standard error, such as a note of a report. */
  note(text: string): void;
  /** Prints a warning to standard error. */
  warn(text: string): void;
  /** Shows what the command is doing, on a terminal only. It stays on one line, which the next output replaces. */
  progress(text: string): void;
  /** Removes the line of `progress`. */
  done(): void;
}

/** How a result is printed. */
export interface OutputForm {
  readonly json?: boolean;
  readonly ndjson?: boolean;
  /** Whether nothing but the result and errors is printed. */
  readonly quiet?: boolean;
}

export function createOutput(
  { stdout, stderr, env }: Streams,
  { json: whole = false, ndjson: lines = false, quiet = false }: OutputForm,
): Output {
  const json = whole || lines;
  const items: object[] = [];
  const shown = colorsOf(stderr, env);
  let pending = false;
  const done = () => {
    if (pending) stderr.write("\r\u001b[K");
    pending = false;
  };
  const beside = (text: string) => {
    if (quiet) return;
    done();
    stderr.write(`${text}\n`);
  };
  // Where the stream fails otherwise this goes on for ever: the error of the stream ends the program.
  const flushed = (text: string) =>
    new Promise<void>((resolve, reject) => {
      done();
      const hasRoom = stdout.write(text, (error) => {
        const cause = stdout.errored ?? error;
        if (!cause) resolve();
        else if (isReaderGone(cause)) reject(new UnwrittenError("the result", cause));
      });
      if (hasRoom) resolve();
    });
  return {
    json,
    colors: colorsOf(stdout, env),
    hints: {},
    width: stdout.isTTY ? stdout.columns || 80 : undefined,
    line(text) {
      done();
      if (!json) stdout.write(`${text}\n`);
    },
    paragraph(text, indent = "", paint = String) {
      for (const line of wrapped(text, indent, this)) this.line(paint(line));
    },
    section(title) {
      this.line("");
      this.line(this.colors.bold(title));
    },
    result(value) {
      done();
      if (json) stdout.write(`${printableJson(value, lines ? 0 : 2)}\n`);
    },
    error(error, part = {}) {
      done();
      if (json) stdout.write(`${printableJson({ error, ...part }, 0)}\n`);
    },
    async item(value) {
      if (lines) await flushed(`${printableJson(value, 0)}\n`);
      else if (whole) items.push(value);
    },
    items(about) {
      if (whole) this.result({ ...about, items });
    },
    write: (text) => flushed(stdout.isTTY ? printableLines(text.replaceAll("\r", "")) : text),
    note: (text) => beside(shown.dim(`note: ${printable(text)}`)),
    warn: (text) => beside(`${shown.yellow("warning:")} ${printable(text)}`),
    progress(text) {
      if (!stderr.isTTY || quiet) return;
      stderr.write(`\r\u001b[K${cutTo(printable(text), (stderr.columns || 80) - 1)}`);
      pending = true;
    },
    done,
  };
}

/**
 * Colours are used on a terminal, or where FORCE_COLOR is set and not 0 (force-color.org), and never where NO_COLOR is set
 * (no-color.org).
 */
function colorsOf({ isTTY }: OutputStream, { NO_COLOR, FORCE_COLOR, TERM }: Streams["env"]): Colors {
  const isWanted = FORCE_COLOR ? FORCE_COLOR !== "0" : isTTY === true && TERM !== "dumb";
  return picocolors.createColors(isWanted && !NO_COLOR);
}
