import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { createOutput, type OutputStream } from "./output.ts";
import { writeResultFile } from "./result-file.ts";

test("where the disk is full, the file stays as it was, and nothing is left beside it", async () => {
  const directory = await useTree({ "old.json": "old" });
  const path = join(directory, "old.json");
  const print = (stream: OutputStream) => {
    stream.write("new");
    stream.destroy(Object.assign(new Error("full"), { code: "ENOSPC", errno: -28 }));
    return new Promise(() => {});
  };
  const message = expect.stringMatching(/^--output old\.json cannot be written: no space left on device/);
  await expect(writeResultFile(path, "old.json", print)).rejects.toMatchObject({ name: "UnwrittenError", message });
  expect(await readdir(directory)).toEqual(["old.json"]);
  expect(await readFile(path, "utf8")).toBe("old");
});

test("what the program throws is thrown, and nothing is left", async () => {
  const directory = await useTree({});
  const print = () => Promise.reject(new TypeError("its own"));
  await expect(writeResultFile(join(directory, "new.json"), "new.json", print)).rejects.toThrow(TypeError);
  expect(await readdir(directory)).toEqual([]);
});

test.skipIf(!existsSync("/dev/full"))("a list that finds no room ends, however long it is", async () => {
  const print = async (stdout: OutputStream) => {
    const output = createOutput({ stdout, stderr: new PassThrough(), env: {} }, { ndjson: true });
    for (;;) await output.item({ text: "x".repeat(100_000) });
  };
  await expect(writeResultFile("/dev/full", "/dev/full", print)).rejects.toThrow("no space left on device");
});
