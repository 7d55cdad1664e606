import { execFileSync } from "node:child_process";
import { appendFile, mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { useDirectory } from "../../../test-support/trees.ts";
import { withPlainFile } from "./plain-file.ts";
import { unpackedBeginning } from "./unpacked.ts";

async function useFile(content: string): Promise<string> {
  const path = join(await useDirectory(), "file");
  await writeFile(path, content);
  return path;
}

test("no more is read than is asked for", async () => {
  const path = await useFile("12345");
  const read = await withPlainFile(path, async (file) => [await file.beginning(2), await file.beginning(9), file.size]);
  expect(read).toEqual([Buffer.from("12"), Buffer.from("12345"), 5]);
  expect(await withPlainFile(path, (file) => file.whole())).toEqual(Buffer.from("12345"));
});

describe("a file is refused", () => {
  test("that grows, or gets shorter, while it is read", async () => {
    const path = await useFile("12345");
    const growing = withPlainFile(path, async (file) => {
      await appendFile(path, "6");
      return file.whole();
    });
    await expect(growing).rejects.toThrow("its size changes: whatever writes it has not finished");
    const shrinking = withPlainFile(path, async (file) => {
      await truncate(path, 1);
      return file.whole();
    });
    await expect(shrinking).rejects.toThrow("its size changes");
  });

  test("that is larger than any report, of which no more than the beginning is read", async () => {
    const path = await useFile("{}");
    await truncate(path, 3 * 2 ** 30);
    await withPlainFile(path, async (file) => {
      expect(await file.beginning(3)).toEqual(Buffer.from("{}\0"));
      await expect(file.whole()).rejects.toThrow("it is larger than 511 MiB");
    });
  });

  test("that is a link, a pipe or gone by now, without waiting for it", async () => {
    const directory = await useDirectory();
    await mkdir(join(directory, "inner"));
    await symlink(join(directory, "inner"), join(directory, "link"));
    execFileSync("mkfifo", [join(directory, "pipe")]);
    for (const name of ["link", "pipe", "inner", "gone"]) {
      await expect(withPlainFile(join(directory, name), (file) => file.whole())).rejects.toMatchObject({
        name: "FileFault",
        isHarmless: true,
      });
    }
  });

  test("that cannot be opened for another reason, which is a fault", async () => {
    const path = `${await useFile("x")}/below`;
    await expect(withPlainFile(path, (file) => file.whole())).rejects.toMatchObject({
      message: "it cannot be read: there is no such file",
      isHarmless: false,
    });
  });
});

describe("the beginning of a gzip file", () => {
  const json = `{"SchemaVersion":2,${" ".repeat(1_000_000)}}`;
  const packed = gzipSync(json);

  test.each<[string, Buffer, string]>([
    ["whole", packed, json.slice(0, 1_000)],
    ["cut off", packed.subarray(0, 500), json.slice(0, 1_000)],
    ["damaged", Buffer.concat([packed.subarray(0, 10), Buffer.from("xxxx")]), ""],
    ["that is none", Buffer.from("{}"), "{}"],
  ])("%s", async (_, bytes, expected) => {
    expect((await unpackedBeginning(bytes, 1_000)).toString()).toBe(expected);
  });
});
