import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endWithProcess } from "./left-overs.ts";

/** Checks a commit out into a folder of its own, with its dependencies, until this process ends. */
export function checkOut(commit: string): string {
  const directory = mkdtempSync(join(tmpdir(), "maturity-former-"));
  endWithProcess(() => remove(directory));
  execFileSync("git", ["worktree", "add", "--detach", directory, commit], { stdio: "ignore" });
  execFileSync("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: directory, stdio: "ignore" });
  return directory;
}

function remove(checkout: string): void {
  spawnSync("git", ["worktree", "remove", "--force", checkout]);
  rmSync(checkout, { recursive: true, force: true });
}
