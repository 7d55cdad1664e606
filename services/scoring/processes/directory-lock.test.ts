import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { DirectoryError, lockDirectory } from "../src/store/directory-lock.ts";
import { useDirectory } from "../test/support/service-process.ts";

/** A process that runs until it is ended, or that has ended already. */
async function useProcess(running: boolean): Promise<number> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  const exit = once(child, "exit");
  const end = async () => {
    child.stdin.end();
    await exit;
  };
  if (running) onTestFinished(end);
  else await end();
  return child.pid as number;
}

const owner = (directory: string) => readFile(join(directory, "maturity.pid"), "utf8");

test("the directory is made where it is missing, and names its process while that has it", async () => {
  const directory = join(await useDirectory(), "data", "maturity");
  const unlock = lockDirectory(directory);
  expect(await owner(directory)).toBe(String(process.pid));
  unlock();
  await expect(owner(directory)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a directory given free can be taken again, and giving it free twice does no harm", async () => {
  const directory = await useDirectory();
  const unlock = lockDirectory(directory);
  unlock();
  unlock();
  lockDirectory(directory);
  expect(await owner(directory)).toBe(String(process.pid));
});

test("while another process has it, it is refused with a message that names the process and says what to do", async () => {
  const directory = await useDirectory();
  const pid = await useProcess(true);
  await writeFile(join(directory, "maturity.pid"), String(pid));
  expect(() => lockDirectory(directory)).toThrow(DirectoryError);
  expect(() => lockDirectory(directory)).toThrow(
    `the embedded database in ${directory} is in use by process ${pid}; stop it, or use PostgreSQL`,
  );
  expect(await owner(directory)).toBe(String(pid));
});

test("a process of another user counts as running", async () => {
  const directory = await useDirectory();
  await writeFile(join(directory, "maturity.pid"), "1");
  expect(() => lockDirectory(directory)).toThrow("in use by process 1");
});

describe("what a crash left is taken over", () => {
  test("the number of a process that has ended", async () => {
    const directory = await useDirectory();
    await writeFile(join(directory, "maturity.pid"), String(await useProcess(false)));
    lockDirectory(directory);
    expect(await owner(directory)).toBe(String(process.pid));
  });

  test("its own number, which a restarted container gets again", async () => {
    const directory = await useDirectory();
    await writeFile(join(directory, "maturity.pid"), String(process.pid));
    lockDirectory(directory);
    expect(await owner(directory)).toBe(String(process.pid));
  });

  test.each(["", "0", "-1", "12x", "4.5"])("a file that holds %j, which is no process", async (text) => {
    const directory = await useDirectory();
    await writeFile(join(directory, "maturity.pid"), text);
    lockDirectory(directory);
    expect(await owner(directory)).toBe(String(process.pid));
  });
});

test("a directory that cannot be made is told as what it is", async () => {
  const directory = await useDirectory();
  await writeFile(join(directory, "file"), "");
  expect(() => lockDirectory(join(directory, "file"))).toThrow(/EEXIST|ENOTDIR/);
  await mkdir(join(directory, "maturity.pid"));
  expect(() => lockDirectory(directory)).toThrow(
    `the directory ${directory} of the embedded database cannot be made or written: EISDIR`,
  );
});
