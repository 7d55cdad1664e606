/**
 * What a table of ours has for a word out of a report. Never look one up by brackets: every object has a `constructor`.
 */
export function own<Value>(table: Readonly<Record<string, Value>>, word: string): Value | undefined {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}
