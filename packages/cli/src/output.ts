import picocolors from "picocolors";
import type { Context, OutputStream } from "./context.ts";
import { printable, printableJson } from "./terminal.ts";

type Colors = ReturnType<typeof picocolors.createColors>;

/** What a command says. Results go to standard output, everything beside them to standard error. */
export interface Output {
  /** Whether a machine reads standard output. */
  readonly json: boolean;
  /** Of standard output. */
  readonly colors: Colors;
  /** One line of the result for people; texts from outside are made `printable` before. */
  line(text: string): void;
  /** The result for machines. */
  result(value: object): void;
  /** A line for people beside the result, such as a note of a report. */
  note(text: string): void;
  warn(text: string): void;
  /** What goes on, while it goes on: on a terminal in one line that `done` removes, elsewhere not at all. */
  progress(text: string): void;
  done(): void;
}

/** @param json whether `--json` was given */
export function createOutput({ stdout, stderr, env }: Context, json: boolean): Output {
  const shown = colorsOf(stderr, env);
  let pending = false;
  const done = () => {
    if (pending) stderr.write("\r\u001b[K");
    pending = false;
  };
  const beside = (text: string) => {
    done();
    stderr.write(`${text}\n`);
  };
  return {
    json,
    colors: colorsOf(stdout, env),
    line(text) {
      done();
      if (!json) stdout.write(`${text}\n`);
    },
    result(value) {
      done();
      if (json) stdout.write(`${printableJson(value)}\n`);
    },
    note: (text) => beside(shown.dim(`note: ${printable(text)}`)),
    warn: (text) => beside(`${shown.yellow("warning:")} ${printable(text)}`),
    progress(text) {
      if (!stderr.isTTY) return;
      stderr.write(`\r\u001b[K${printable(text).slice(0, (stderr.columns || 80) - 1)}`);
      pending = true;
    },
    done,
  };
}

/** Colours on a terminal only, and never where NO_COLOR is set (no-color.org). */
function colorsOf({ isTTY }: OutputStream, env: Context["env"]): Colors {
  return picocolors.createColors(isTTY === true && !env.NO_COLOR && env.TERM !== "dumb");
}
