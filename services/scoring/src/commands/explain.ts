import { CodedError } from "@maturity/core/wire";
import { OperatorError } from "../model/errors.ts";
import { explainDatabase } from "../store/explain-database.ts";

/** The text of an error for the terminal: its message if that says enough to correct it, otherwise with the stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const database = explainDatabase(error);
  if (database !== undefined) return database;
  // The system refused, as for a port in use.
  const isSelfExplaining = error instanceof OperatorError || error instanceof CodedError || "syscall" in error;
  return isSelfExplaining ? error.message : (error.stack ?? error.message);
}

/**
 * Waits for the end of all.
 *
 * @throws the error of the one that fails, or an OperatorError with the texts of all that fail
 */
export async function allOf<Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [Part in keyof Parts]: Awaited<Parts[Part]> }> {
  const ends = await Promise.allSettled(parts);
  const faults = ends.flatMap((end) => (end.status === "rejected" ? [explain(end.reason)] : []));
  if (faults.length > 1) throw new OperatorError(faults.join("\n"));
  return Promise.all(parts);
}
