import { inspect } from "node:util";
import { createOutput, type Output, type OutputStream, type Streams } from "@maturity/command-line/output";
import { own } from "@maturity/command-line/own";
import { printable, printableLines } from "@maturity/command-line/terminal";
import { isReaderGone, UnwrittenError } from "@maturity/command-line/unwritten-error";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { PartlyDoneError } from "./partly-done.ts";

/** An error as the caller of the program sees it. */
interface Failure {
  readonly exit: ExitCode;
  readonly code: string;
  readonly message: string;
  /** The single faults. If there are several, each gets a line of its own. */
  readonly details: readonly { readonly path: string; readonly message: string }[];
  /** The line before the single faults. */
  readonly title?: string;
  /** The character between the path of a fault and its message. */
  readonly mark?: string;
}

/**
 * Prints an error, with `--json` as JSON, and returns the exit code.
 *
 * @param verbose whether the stack of the error is printed, and what caused it
 * @param done what `--json` shows of the part that is stored
 */
export function reportFailure(
  error: unknown,
  output: Output,
  stderr: OutputStream,
  verbose = false,
  done: object = {},
): ExitCode {
  if (error instanceof PartlyDoneError) return reportFailure(error.cause, output, stderr, verbose, error.done);
  if (error instanceof UnwrittenError && isReaderGone(error.cause)) return exitCodes.done;
  const { exit, code, message: text, details, title, mark = "" } = explain(error);
  const message = text + hintOn(error, output);
  if (output.json) {
    output.error({ code, message, ...(details.length > 0 && { details }) }, done);
    return exit;
  }
  output.done();
  const lines =
    details.length > 1 && title
      ? [title, ...details.map(({ path, message }) => faultLine(path && path + mark, message))]
      : [printable(message)];
  stderr.write(`maturity: ${lines.join("\n")}\n`);
  if ((verbose || exit === exitCodes.internal) && error instanceof Error)
    stderr.write(`${printableLines(inspect(error))}\n`);
  return exit;
}

/** Prints why standard output cannot be written, and returns the exit code. */
export function reportUnwritten(cause: Error, streams: Streams): ExitCode {
  return reportFailure(new UnwrittenError("standard output", cause), createOutput(streams, {}), streams.stderr);
}

/** Prints an error that nothing handles, whatever its name, and returns the exit code. */
export function reportUncaught(error: unknown, stderr: OutputStream): ExitCode {
  const text = typeof error === "string" ? error : inspect(error);
  stderr.write(`maturity: a fault of this program or of a scorecard: ${printableLines(text)}\n`);
  return exitCodes.internal;
}

/** The message of an error as the caller sees it. */
export function failureText(error: unknown): string {
  return explain(error instanceof PartlyDoneError ? error.cause : error).message;
}

/** The end of an error message, in brackets; empty where nothing is known to help. */
export function hintOn(error: unknown, { hints }: Pick<Output, "hints">): string {
  const hint = own(hints, String(Object(error).code));
  return hint === undefined ? "" : ` (${hint})`;
}

function faultLine(path: string, message: string): string {
  return `  - ${printable(`${path} ${message}`.trim())}`;
}

/** Recognizes errors by their names, because `instanceof` would load the packages that define them. */
function explain(error: unknown): Failure {
  if (!(error instanceof Error)) {
    return { exit: exitCodes.internal, code: "internal", message: String(error), details: [] };
  }
  const { name, message } = error;
  const { code = "", isOutage = false, details = [] } = error as { isOutage?: boolean } & Partial<Failure>;
  switch (name) {
    case "MaturityClientError":
      return { exit: exitOf(code, isOutage), code, message, details, title: `the service refuses this (${code}):` };
    case "MaturityError": {
      const thrown = error.cause === undefined ? "" : `: ${inspect(error.cause).split("\n", 1)}`; // by the scorer
      const title = `these values cannot be scored (${code}):`;
      return { exit: exitCodes.wrongUse, code, message: message + thrown, details, title };
    }
    case "ReportError":
      return { exit: exitCodes.wrongUse, code, message, details };
    case "FilesError":
      return { exit: exitCodes.wrongUse, code, message, details, title: "nothing was sent:", mark: ":" };
    case "ScorecardFileError": {
      const [title = "", ...faults] = message.split("\n").map((line) => line.trim());
      const code = "invalid-scorecard";
      return { exit: exitCodes.wrongUse, code, message: `${title} ${faults.join("; ")}`, details, title };
    }
    case "NothingToSendError":
      return { exit: exitCodes.nothingToSend, code, message, details };
    case "IdTokenError":
      return { exit: exitCodes.refused, code: "no-id-token", message, details };
    case "UnwrittenError":
      return { exit: exitCodes.unwritten, code: "unwritten", message, details };
    case "CollectFileError":
    case "UsageError":
      return { exit: exitCodes.wrongUse, code: "wrong-usage", message, details };
    default:
      return { exit: exitCodes.internal, code: "internal", message, details: [] };
  }
}

/** The codes of what the caller gave wrong: values of a metric, and an address or a token that lead to no service. */
const wrongUse: ReadonlySet<string> = new Set(["invalid-raw", "invalid-url", "invalid-token", "unexpected-answer"]);

/** The exit code for an error of the client. */
function exitOf(code: string, isOutage: boolean): ExitCode {
  if (isOutage) return exitCodes.unreachable;
  return wrongUse.has(code) ? exitCodes.wrongUse : exitCodes.refused;
}
