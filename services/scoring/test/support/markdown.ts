import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";

/** The folder of the repository. */
export const repository: string = join(import.meta.dirname, "../../../..");

/** A fenced block: its language, what stands behind it, and its text. */
export interface Block {
  readonly language: string;
  readonly info: string;
  readonly text: string;
}

/** The fenced blocks of a page of the repository, in order. */
export async function blocks(path: string): Promise<Block[]> {
  const page = await readFile(join(repository, path), "utf8");
  return [...page.matchAll(/^```(\w+)(?: ([^\n]*))?\n(.*?)^```$/gms)].map(
    ([, language = "", info = "", text = ""]) => ({
      language,
      info,
      text,
    }),
  );
}

/** Matches whatever holds at least this: the page shortens lists, objects and fractions. */
export function holding(shown: unknown): unknown {
  if (Array.isArray(shown)) return expect.arrayContaining(shown.map(holding));
  if (typeof shown === "number") return expect.closeTo(shown, 6);
  if (typeof shown !== "object" || shown === null) return shown;
  const fields = Object.entries(shown).map(([name, value]) => [name, holding(value)]);
  return expect.objectContaining(Object.fromEntries(fields));
}
