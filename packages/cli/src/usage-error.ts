/** What the caller can put right: flags, settings, files. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
