/**
 * The text of an answer. One that goes on without end is broken off.
 *
 * @throws Error when it is longer than so many bytes, or breaks off by itself
 */
export async function boundedText({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AnswerTooLongError(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

export class AnswerTooLongError extends Error {
  override readonly name = "AnswerTooLongError";

  constructor(maxBytes: number) {
    super(`the answer is longer than ${maxBytes / 1_048_576} MiB`);
  }
}
