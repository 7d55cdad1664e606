/** An error after a part of the results was stored. */
export class PartlyDoneError extends Error {
  override readonly name = "PartlyDoneError";
  /** What `--json` shows of that part. */
  readonly done: object;

  /** @param cause why the rest is not stored */
  constructor(done: object, cause: unknown) {
    super("a part is stored", { cause });
    this.done = done;
  }
}
