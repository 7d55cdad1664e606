import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repository } from "./support/markdown.ts";

const read = (path: string) => readFileSync(join(repository, path), "utf8");

/** All matches of the first group. */
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match = ""]) => match);

/** A tag can be moved to other code; a hash cannot. The version stands beside it for people. */
describe("what others publish is pinned by its hash", () => {
  const workflows = readdirSync(join(repository, ".github/workflows"));

  test.each(workflows)("the actions of %s", (name) => {
    const actions = found(read(`.github/workflows/${name}`), /^\s*(?:- )?uses: (.*)$/gm);
    expect(actions).not.toHaveLength(0);
    for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("the images of the PostgreSQL versions that CI tries", () => {
    const workflow = read(".github/workflows/ci.yml");
    expect(found(workflow, /^\s*image: (.*)$/gm)).toEqual([
      `postgres:${"$"}{{ matrix.server.postgres }}@${"$"}{{ matrix.server.digest }}`,
    ]);
    const versions = found(workflow, /\{ postgres: (\d+), digest: "sha256:[0-9a-f]{64}" \}/g);
    expect(versions).toEqual(["14", "15", "16", "17", "18"]);
  });

  test("the images that the service is built from and tried with", () => {
    const bases = found(read("services/scoring/deploy/Dockerfile"), /^FROM (?:--\S+ )?(\S+)/gm);
    const images = found(read("services/scoring/deploy/compose.yaml"), /^\s*image: (\S+)$/gm);
    const ours = "maturity-service";
    expect(images).toContain(ours);
    for (const image of [...bases, ...images.filter((name) => name !== ours)]) {
      expect(image).toMatch(/^[\w/-]+:v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
    }
  });
});
