import { chmod, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { matching } from "./matching.ts";

const shards = { "r/1/a.info": "", "r/2/a.info": "", "r/2/b.txt": "" };

test("the files that match, sorted, also behind links", async () => {
  const cwd = await useTree(shards);
  await symlink("1", join(cwd, "r/3"));
  expect(await matching("r/*/*.info", cwd)).toEqual(["r/1/a.info", "r/2/a.info", "r/3/a.info"]);
  expect(await matching(join(cwd, "r/2/*"), cwd)).toEqual(["r/2/a.info", "r/2/b.txt"]);
  await expect(matching("s/*.info", cwd)).rejects.toThrow("no file matches s/*.info");
  await expect(matching("r/1/a.info/*", cwd)).rejects.toThrow("no file matches r/1/a.info/*");
});

test.each([
  ["r/*/*.info", "r/4", "nowhere", "there is no such file"],
  ["r/1/*.info", "r/1/b.info", "nowhere", "there is no such file"],
  ["*.info", "b.info", "nowhere", "there is no such file"],
  ["**/*.info", "r/4", "4", "too many symbolic links encountered"],
])("of %s nothing is lost where %s is a link to %s", async (pattern, link, target, reason) => {
  const cwd = await useTree({ ...shards, "a.info": "" });
  await symlink(target, join(cwd, link));
  await expect(matching(pattern, cwd)).rejects.toThrow(
    `${pattern} may match more than can be read: ${link} cannot be read: ${reason}`,
  );
});

test("a link to nowhere matters where the pattern means it, and nowhere else", async () => {
  const cwd = await useTree(shards);
  await symlink("nowhere", join(cwd, "r/1/.#lock"));
  expect(await matching("r/*/*.info", cwd)).toEqual(["r/1/a.info", "r/2/a.info"]);
  expect(await matching("**/*.info", cwd)).toEqual(["r/1/a.info", "r/2/a.info"]);
  await symlink("nowhere", join(cwd, "r/1/b.info"));
  expect(await matching("**/*.info", cwd)).toEqual(["r/1/a.info", "r/1/b.info", "r/2/a.info"]);
});

test.skipIf(process.getuid?.() === 0)("a directory that may not be read, where the pattern leads into it", async () => {
  const cwd = await useTree(shards);
  await mkdir(join(cwd, "closed"));
  for (const name of ["r/2", "closed"]) {
    await chmod(join(cwd, name), 0);
    onTestFinished(() => chmod(join(cwd, name), 0o700));
  }
  const unread = "may match more than can be read: r/2 cannot be read: permission denied";
  await expect(matching("r/*/*.info", cwd)).rejects.toThrow(`r/*/*.info ${unread}`);
  expect(await matching("r/1/*.info", cwd)).toEqual(["r/1/a.info"]);
});
