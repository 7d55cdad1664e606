import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { ExecutedPage } from "../test/support/executed-page.ts";
import { type NpmRegistry, npmUser, startNpmRegistry } from "../test/support/npm-registry.ts";
import { createDatabase } from "../test/support/service.ts";

let folder: string;
let registry: NpmRegistry;
let page: ExecutedPage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "maturity-rules-"));
  registry = await startNpmRegistry(join(folder, "tarballs"));
  const env = await npmUser(join(folder, "home"), registry.npmrc);
  const [name, email] = ["Ann", "ann@example.com"];
  const git = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
  page = new ExecutedPage(folder, { ...env, ...git, DATABASE_URL: await createDatabase("postgres") });
}, 240_000);
afterAll(async () => {
  page?.stop();
  registry?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("docs/changing-rules.md works as it stands, with the packages as they are published", async () => {
  await page.execute("docs/changing-rules.md");
}, 240_000);
