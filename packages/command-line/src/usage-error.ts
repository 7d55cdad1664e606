/** A mistake that the caller can correct, in flags, settings or files. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
