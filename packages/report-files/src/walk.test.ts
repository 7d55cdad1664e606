import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { useDirectory, useTree } from "../../../test-support/trees.ts";
import { walk } from "./walk.ts";

async function walked(directory: string, cwd: string) {
  const found = [];
  for await (const one of walk(directory, cwd)) found.push(one);
  return found;
}

test("every file of a tree in the order of the names, but none of others", async () => {
  const cwd = await useTree({
    "d/b/1.json": "",
    "d/a.json": "",
    "d/.hidden/x.json": "",
    "d/node_modules/x/trivy.json": "",
    "d/b/.git/x.json": "",
    "d/git/x.json": "",
  });
  const files = ["d/.hidden/x.json", "d/a.json", "d/b/1.json", "d/git/x.json"].map((file) => ({ file }));
  expect(await walked("d", cwd)).toEqual(files);
  expect(await walked("./d/", cwd)).toEqual(files);
});

test("links, pipes and sockets are passed over, also those that lead out of the tree or back into it", async () => {
  const cwd = await useTree({ "d/a.json": "", "outside.json": "" });
  await symlink("..", join(cwd, "d/loop"));
  await symlink("../outside.json", join(cwd, "d/out.json"));
  await symlink("nowhere", join(cwd, "d/dangling.json"));
  execFileSync("mkfifo", [join(cwd, "d/pipe.json")]);
  const server = createServer().listen(join(cwd, "d/socket.json"));
  onTestFinished(() => void server.close());
  await once(server, "listening");
  expect(await walked("d", cwd)).toEqual([
    { file: "d/a.json" },
    { file: "d/dangling.json", passedOver: "it is a link, not a file" },
    { file: "d/loop", passedOver: "it is a link, not a file" },
    { file: "d/out.json", passedOver: "it is a link, not a file" },
    { file: "d/pipe.json", passedOver: "it is a pipe, not a file" },
    { file: "d/socket.json", passedOver: "it is a socket, not a file" },
  ]);
});

test("a directory that is given may be a link", async () => {
  const cwd = await useTree({ "d/a.json": "" });
  await symlink("d", join(cwd, "link"));
  expect(await walked("link", cwd)).toEqual([{ file: "link/a.json" }]);
});

test("a tree that is too deep fails there, and the rest is found", async () => {
  const cwd = await useTree({ [`d/${"x/".repeat(40)}a.json`]: "", "d/z.json": "" });
  const found = await walked("d", cwd);
  expect(found).toEqual([
    { file: `d${"/x".repeat(33)}`, failed: "it is more than 32 directories deep" },
    { file: "d/z.json" },
  ]);
});

test("a directory that cannot be read fails", async () => {
  const cwd = await useDirectory();
  await writeFile(join(cwd, "file"), "");
  expect(await walked("file", cwd)).toEqual([
    { file: "file", failed: "the directory cannot be read: there is no such file" },
  ]);
});

test("a tree of far too many entries is refused", async () => {
  const cwd = await useTree({ "d/a/1": "", "d/a/2": "", "d/b": "" });
  const within = async (entries: number) => {
    const found = [];
    for await (const one of walk("d", cwd, { depth: 32, entries })) found.push(one);
    return found;
  };
  expect(await within(4)).toHaveLength(3);
  await expect(within(3)).rejects.toThrow("d holds more than 3 files: name the directory of the reports");
});
