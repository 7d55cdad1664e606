/** The error of a failed check. Test runners show the difference of `expected` and `actual`. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
  readonly expected: unknown;
  readonly actual: unknown;

  constructor(message: string, expected: unknown, actual: unknown) {
    super(message);
    this.expected = expected;
    this.actual = actual;
  }
}

/** @throws CheckFailure unless the condition holds */
export function expect(
  condition: boolean,
  message: string,
  { expected = true, actual = false }: { readonly expected?: unknown; readonly actual?: unknown } = {},
): asserts condition {
  if (!condition) throw new CheckFailure(message, expected, actual);
}
