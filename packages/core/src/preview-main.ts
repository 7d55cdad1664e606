#!/usr/bin/env node
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { preview } from "./preview.ts";
import type { Scorecard } from "./scorecard.ts";

const [module, path, ...raws] = process.argv.slice(2);
try {
  if (!module || !path) {
    throw new Error("maturity-preview MODULE FILE: an export of the service, or a body of POST /score on each line");
  }
  const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(resolve(module)).href);
  const isScorecard = (value: unknown): value is Scorecard => Object.hasOwn(Object(value), "contract");
  const scorecard = Object.values(exported).find(isScorecard);
  if (!scorecard) throw new Error(`${module} exports no scorecard`);
  const file = await open(path);
  process.stdout.write(`${await preview(scorecard, file.readLines(), raws)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
