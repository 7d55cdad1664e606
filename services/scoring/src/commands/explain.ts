import { CodedError } from "@maturity/core/wire";
import { hasCode, OperatorError } from "../model/errors.ts";

/** Tells a fault: in one message where that says all, otherwise with the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const saysAll = error instanceof OperatorError || error instanceof CodedError || isRefusal(error);
  return saysAll ? error.message : (error.stack ?? error.message);
}

/** Says whether the reader of the output went away. */
export function isReaderGone(error: unknown): boolean {
  return hasCode(error, "EPIPE") && "syscall" in error && error.syscall === "write";
}

/** Did the system refuse (the port is taken, a directory cannot be written), or the database let nobody in? */
function isRefusal(error: Error): boolean {
  return "syscall" in error || ("code" in error && /^(?:28|3D)/.test(String(error.code)));
}
