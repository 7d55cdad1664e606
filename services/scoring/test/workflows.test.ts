import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { repository } from "./support/markdown.ts";

const read = (path: string) => readFileSync(join(repository, ".github", path), "utf8");

interface Job {
  readonly "timeout-minutes"?: number;
  readonly strategy?: { readonly matrix: { readonly stage?: string[]; readonly shard?: string[] } };
}

/** Whether parts such as 1/3, 2/3 and 3/3 are all there, each once. */
function areWhole(shards: readonly string[]): boolean {
  return shards.every((shard, index) => shard === `${index + 1}/${shards.length}`);
}

describe("the workflow of CI", () => {
  const jobs = parse(read("workflows/ci.yml")).jobs as Record<string, Job>;

  test.each(Object.keys(jobs))("the job %s ends within 15 minutes", (name) => {
    expect(jobs[name]?.["timeout-minutes"]).toBeLessThanOrEqual(15);
  });

  test("runs every stage of .ci/run, and each part of it once", () => {
    const script = readFileSync(join(repository, ".ci/run"), "utf8");
    const known = new Set([...script.matchAll(/^if asked (\w+);/gm)].map(([, name]) => name));
    const parts = Map.groupBy(jobs.stage?.strategy?.matrix.stage ?? [], (stage) => stage.split(" ")[0]);
    expect(new Set(parts.keys())).toEqual(known);
    for (const stages of parts.values()) {
      if (stages.length === 1) expect(stages[0]).toMatch(/^\w+$/);
      else expect(areWhole(stages.map((stage) => stage.split("--shard=")[1] ?? "")), stages.join()).toBe(true);
    }
    for (const { strategy } of Object.values(jobs)) expect(areWhole(strategy?.matrix.shard ?? [])).toBe(true);
  });
});

const forms = readdirSync(join(repository, ".github/ISSUE_TEMPLATE")).filter((name) => name !== "config.yml");

test.each(forms)("the form %s has what a form needs, and each question its own id", (name) => {
  const { name: title, description, body } = parse(read(`ISSUE_TEMPLATE/${name}`));
  expect([title, description].every((text) => typeof text === "string")).toBe(true);
  const questions = body.filter(({ type }: { type: string }) => type !== "markdown");
  expect(questions.length).toBeGreaterThan(1);
  for (const { type, attributes } of questions) {
    expect(["input", "textarea"]).toContain(type);
    expect(attributes.label).toEqual(expect.any(String));
  }
  expect(new Set(questions.map(({ id }: { id: string }) => id)).size).toBe(questions.length);
});
