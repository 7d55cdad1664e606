/** Beginning, the n-th piece, and end of a report. */
export interface Kind {
  readonly begin: string;
  piece(n: number): string;
  readonly end: string;
}

export const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

export const description: string = "A flaw in the parser of this library lets an attacker read memory. ".repeat(12);

/** The members of a list, with a comma before each but the first. */
export const member = (n: number, value: object): string => `${n === 1 ? "" : ",\n"}${JSON.stringify(value)}`;
