/** Looks up a name from outside. Brackets would also find inherited members, such as `constructor`. */
export function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
