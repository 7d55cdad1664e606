import { PassThrough, Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";
import { expect, test } from "vitest";
import { runOn } from "./support/service-command.ts";
import { change, collect, importRows, lines, problem, score, useServiceOn } from "./support/transfer.ts";

test("a file that is cut off, no UTF-8 or one endless line is refused, with its line", async () => {
  const { database } = await useServiceOn("postgres");
  const good = `${JSON.stringify(score)}\n`;
  const files: Readonly<Record<string, Buffer[]>> = {
    "line 2: is not a JSON object": [Buffer.from(good + good.slice(0, 50))],
    "line 3: is not UTF-8; nothing was imported": [
      Buffer.from(`${good + good}"`),
      Buffer.from([0xff, 0x0a]),
      Buffer.from(good),
    ],
    "line 2: is not UTF-8": [Buffer.from(good), Buffer.from("\ud83d\ude00").subarray(0, 3)],
    "line 1: is not a JSON object": [Buffer.from("half\n"), Buffer.from([0xff])],
    "line 2: is longer than 8 MiB": [
      Buffer.from(good),
      ...Array.from({ length: 9 }, () => Buffer.alloc(1_048_576, "a")),
    ],
  };
  for (const [message, chunks] of Object.entries(files)) {
    await expect(runOn(database, ["import"], { stdin: Readable.from(chunks) })).rejects.toThrow(message);
    expect(await collect(database)).toEqual([]);
  }
  const marked = Readable.from([Buffer.from(`\ufeff${good}{"lines":1}`)]);
  expect(await runOn(database, ["import"], { stdin: marked })).toContain("scores: 1,");
});

test("a file that was cut at a line is refused whole, and exports one after the other are taken", async () => {
  const from = await useServiceOn("postgres");
  await importRows(from.database, lines(score, problem, change));
  const stdout = new PassThrough();
  const [text] = await Promise.all([
    readText(stdout),
    runOn(from.database, ["export"], { stdout }).then(() => stdout.end()),
  ]);
  const file = text.trimEnd().split("\n");
  expect(file.at(-1)).toBe(`{"lines":${file.length - 1}}`);
  const { database } = await useServiceOn("postgres");
  const give = (some: readonly string[]) =>
    runOn(database, ["import"], { stdin: Readable.from(some.map((line) => Buffer.from(`${line}\n`))) });
  const wrong: Readonly<Record<string, readonly string[]>> = {
    "line 1: is missing: the last line of an export says how many there are": [],
    [`line ${file.length}: is missing`]: file.slice(0, -1),
    "line 2: is missing": file.slice(0, 1),
    [`line ${file.length - 1}: says that ${file.length - 1} lines come before it, but ${file.length - 2} do`]:
      file.slice(1),
    [`line ${file.length + 1}: says that`]: [...file.slice(0, 1), ...file],
    [`line ${file.length + 2}: is missing`]: [...file, ...file.slice(0, 1)],
  };
  for (const [message, some] of Object.entries(wrong)) {
    await expect(give(some), message).rejects.toThrow(message);
    expect(await collect(database)).toEqual([]);
  }
  const rewritten = file
    .map((line) => line.replace('"area":"shop"', '"area":"store"'))
    .map((line) => `${JSON.stringify(JSON.parse(line), null, 1).replaceAll("\n", "")}\r`);
  await expect(give(rewritten.slice(1)), "rewritten").rejects.toThrow("says that");
  await expect(give([...file, ...file])).rejects.toThrow(`line ${file.length + 1}: has the same area`);
  expect(await give([...file, ...rewritten])).toContain("scores: 2, problems: 2,");
  expect(await collect(database)).toEqual(expect.arrayContaining(await collect(from.database)));
});
