import { CodedError } from "@maturity/core/wire";
import { hasCode, OperatorError } from "../model/errors.ts";

/** The text of an error for the terminal: its message if that says enough to correct it, otherwise with the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isSelfExplaining = error instanceof OperatorError || error instanceof CodedError || isRefusal(error);
  return isSelfExplaining ? error.message : (error.stack ?? error.message);
}

/** Says whether the reader of the output closed it. */
export function isReaderGone(error: unknown): boolean {
  return hasCode(error, "EPIPE") && "syscall" in error && error.syscall === "write";
}

/** Says whether the system refused, as for a port in use, or the database refused the login. */
function isRefusal(error: Error): boolean {
  return "syscall" in error || ("code" in error && /^(?:28|3D)/.test(String(error.code)));
}
