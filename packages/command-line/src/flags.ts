/** The flags that were given, by their long names in camel case. A command reads only flags that it has defined. */
export type Flags = Readonly<Record<string, unknown>>;

/** The values of a flag that may be given several times, or once. */
export function valuesOf(flag: unknown): readonly string[] {
  return Array.isArray(flag) ? flag : typeof flag === "string" ? [flag] : [];
}
