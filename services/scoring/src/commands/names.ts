import { nameFault } from "@maturity/core/wire";
import { InvalidArgumentError } from "commander";

/** Reads a name that a report could have. @throws InvalidArgumentError that says what is wrong with it */
export function readName(text: string): string {
  const fault = nameFault(text);
  if (fault) throw new InvalidArgumentError(`It ${fault}.`);
  return text;
}

/** Adds a name to those of an option that may be given several times. */
export function addName(text: string, names: readonly string[] = []): readonly string[] {
  return [...names, readName(text)];
}
