/** A command was called the wrong way; the message says what is wrong, `usage` how it goes. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly usage: string;

  constructor(message: string, usage: string) {
    super(message);
    this.usage = usage;
  }
}
