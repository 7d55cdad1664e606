import { OperatorError } from "../model/errors.ts";

/** Rows cannot be imported: the message names the line, from 1, and what is wrong with it. Nothing was stored. */
export class ImportError extends OperatorError {
  override readonly name = "ImportError";

  /** The same without what became of the import. */
  readonly place: string;

  constructor(line: number, fault: string) {
    super(`line ${line}: ${fault}; nothing was imported`);
    this.place = `line ${line}: ${fault}`;
  }
}
