import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repository } from "./markdown.ts";

/** Before the tests that pack what is published: of two that build at once, one takes away the files that the other reads. */
export async function setup(): Promise<void> {
  await promisify(execFile)("pnpm", ["build"], { cwd: repository });
}
