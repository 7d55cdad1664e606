import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { DirectoryError, lockDirectory } from "../src/store/directory-lock.ts";
import { post } from "../test/support/own-connection.ts";
import { until } from "../test/support/service.ts";
import { useDirectory, useServiceProcess } from "../test/support/service-process.ts";

/** A process that has the lock of a directory until it is ended. */
async function useOwner(directory: string) {
  const module = fileURLToPath(new URL("../src/store/directory-lock.ts", import.meta.url));
  const program = `import { lockDirectory } from ${JSON.stringify(module)};
    lockDirectory(${JSON.stringify(directory)});
    process.stdout.write("locked");
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--conditions=@maturity/source", "--input-type=module", "-e", program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exit;
  };
  onTestFinished(() => kill("SIGKILL"));
  await once(child.stdout, "data");
  return { pid: child.pid as number, kill };
}

const owner = (directory: string) => readFile(join(directory, "maturity.pid"), "utf8");
const self = `process ${process.pid} on ${hostname()}`;

test("the directory is made where it is missing, and names its process while that has it", async () => {
  const directory = join(await useDirectory(), "data", "maturity");
  const unlock = lockDirectory(directory);
  expect(await owner(directory)).toBe(self);
  unlock();
  await expect(owner(directory)).rejects.toMatchObject({ code: "ENOENT" });
});

test("a directory given free can be taken again, and giving it free twice does no harm", async () => {
  const directory = await useDirectory();
  const unlock = lockDirectory(directory);
  unlock();
  const again = lockDirectory(directory);
  unlock();
  expect(await owner(directory)).toBe(self);
  expect(() => lockDirectory(directory)).toThrow(`in use by ${self}`);
  again();
});

test("while another process has it, it is refused with a message that names the process and says what to do", async () => {
  const directory = await useDirectory();
  const { pid, kill } = await useOwner(directory);
  expect(() => lockDirectory(directory)).toThrow(DirectoryError);
  expect(() => lockDirectory(directory)).toThrow(
    `the embedded database in ${directory} is in use by process ${pid} on ${hostname()}; stop it, or use PostgreSQL`,
  );
  await kill("SIGKILL");
  lockDirectory(directory)();
});

test("a process that is stopped keeps it, however long it does nothing", async () => {
  const directory = await useDirectory();
  const { pid, kill } = await useOwner(directory);
  process.kill(pid, "SIGSTOP");
  await until(async () => / T /.test(await readFile(`/proc/${pid}/stat`, "utf8").catch(() => " T ")));
  expect(() => lockDirectory(directory)).toThrow(`in use by process ${pid} on `);
  await kill("SIGKILL");
  lockDirectory(directory)();
});

test.each(["", "1", "process 1", "process x on y"])(
  "whatever the file of its owner says, as %j, the lock decides",
  async (text) => {
    const directory = await useDirectory();
    await writeFile(join(directory, "maturity.pid"), text);
    const unlock = lockDirectory(directory);
    await writeFile(join(directory, "maturity.pid"), text);
    expect(() => lockDirectory(directory)).toThrow("is in use by another process; stop it");
    unlock();
    lockDirectory(directory)();
  },
);

test("its file stays empty, and nothing else stays beside it", async () => {
  const directory = await useDirectory();
  const unlock = lockDirectory(directory);
  expect((await readdir(directory)).sort()).toEqual(["maturity.lock", "maturity.pid"]);
  unlock();
  expect(await readdir(directory)).toEqual(["maturity.lock"]);
  expect(await readFile(join(directory, "maturity.lock"))).toHaveLength(0);
});

test("a directory that cannot be made is said as what it is", async () => {
  const directory = await useDirectory();
  await writeFile(join(directory, "file"), "");
  expect(() => lockDirectory(join(directory, "file"))).toThrow(/EEXIST|ENOTDIR|cannot be made, written or locked/);
  const unusable = `the directory ${directory} of the embedded database cannot be made, written or locked: `;
  await mkdir(join(directory, "maturity.pid"));
  expect(() => lockDirectory(directory)).toThrow(`${unusable}EISDIR`);
  expect(() => lockDirectory(directory)).toThrow(`${unusable}EISDIR`); // and not because it is locked
});

const container = [
  ...["unshare", "--pid", "--fork", "--mount-proc", "--net", "--uts", "--kill-child=SIGKILL"],
  ...(process.getuid?.() === 0 ? [] : ["--user", "--map-root-user"]),
];
const [unshare = "", ...flags] = container;

describe.skipIf(spawnSync(unshare, [...flags, "true"]).status !== 0)("of containers that share a volume", () => {
  test("one uses the database, however often it is killed, and all that was acknowledged is there", async () => {
    const directory = join(await useDirectory(), "data");
    const environment = { DATABASE_URL: `pglite:${directory}` };
    const inContainer = [...container.filter((flag) => flag !== "--net")];
    let stored = 0;
    for (let start = 0; start < 2; start++) {
      const first = await useServiceProcess(environment, undefined, inContainer);
      const address = await first.address();
      expect(await owner(directory)).toMatch(/^process 1 on /);
      const second = await useServiceProcess(environment, undefined, container);
      expect(await second.exit).toEqual({ code: 1, signal: null });
      expect(second.stderr()).toContain(`the embedded database in ${directory} is in use by process 1 on `);
      for (let number = 0; number < 20; number++) {
        const target = { area: "shop", team: "checkout", app: `app-${stored}`, env: "prod" };
        const report = { ...target, scorecard: "security", metric: "secret_scan", raw: { found: false } };
        expect((await post(address, "/score", report)).status).toBe(200);
        stored++;
      }
      first.kill("SIGKILL");
      await first.exit;
    }
    const last = await useServiceProcess(environment);
    expect(await (await fetch(`${await last.address()}/scores`)).json()).toMatchObject({ total: stored });
  });
});
