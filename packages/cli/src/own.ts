/** What a table has for a name from outside. Never look one up by brackets: every object has a `constructor`. */
export function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
