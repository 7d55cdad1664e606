/** Looks up a word from a report in a table. Brackets would also find inherited members, such as `constructor`. */
export function own<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
