import { resolve } from "node:path";
import { readText } from "@maturity/command-line/files";
import type { ScorecardFile } from "@maturity/scorecard-file";

/**
 * Reads a scorecard that is a file.
 *
 * @param directory where a relative path begins
 * @throws UsageError if it cannot be read, and ScorecardFileError with every fault of it
 */
export async function readScorecard(path: string, directory: string): Promise<ScorecardFile> {
  const { maxScorecardBytes, readScorecardFile } = await import("@maturity/scorecard-file");
  return readScorecardFile(await readText(resolve(directory, path), path, maxScorecardBytes), path);
}
