import { nameFault } from "@maturity/core/wire";
import { InvalidArgumentError } from "commander";

/** Reads a name of an area, team, application or token. @throws InvalidArgumentError that says what is wrong with it */
export function readName(text: string): string {
  const fault = nameFault(text);
  if (fault) throw new InvalidArgumentError(`It ${fault}.`);
  return text;
}

/** Adds a name to the earlier ones of an option that may be repeated. */
export function addName(text: string, names: readonly string[] = []): readonly string[] {
  return [...names, readName(text)];
}

/** Makes a function that reads the number of an entry. @param list the command that shows the numbers */
export function readId(list: string): (text: string) => number {
  return (text) => {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError(`It must be a number that ${list} shows.`);
    return Number(text);
  };
}
