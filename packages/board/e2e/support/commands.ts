import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

const run = promisify(execFile);

const packages = join(import.meta.dirname, "../../..");
const maturity = `maturity() { "${process.execPath}" --conditions=@maturity/source "${packages}/cli/src/main.ts" "$@"; }\n`;

/** A folder for one test, in which commands of the page are run. */
export interface Folder {
  /** Writes `report.json`: a report of Grype. */
  writeReport(): Promise<void>;
  /** Runs a command of the page by `sh`, with `maturity` from its sources. Rejects unless it ends with 0. */
  run(command: string): Promise<void>;
}

export async function useFolder(): Promise<Folder> {
  const cwd = await mkdtemp(join(tmpdir(), "maturity-board-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  return {
    writeReport: () => copyFile(`${packages}/reports/examples/grype.json`, join(cwd, "report.json")),
    async run(command) {
      await run("sh", ["-c", maturity + command], { cwd });
    },
  };
}
