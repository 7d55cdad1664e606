import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { TestProjectInlineConfiguration, ViteUserConfig } from "vitest/config";

const conditions = ["@maturity/source"];

/** Everything, the set-up before the tests included, is taken from the sources, so that nothing needs a build. */
export const environments: NonNullable<ViteUserConfig["environments"]> = {
  ssr: { resolve: { conditions } },
  __vitest__: { resolve: { conditions } },
};

/**
 * A worker goes on with what it has loaded and compiled: files share nothing that one of them changes. Most of what tests
 * allocate is soon garbage, which costs less to collect in more room.
 */
export const worker: Pick<NonNullable<TestProjectInlineConfiguration["test"]>, "isolate" | "execArgv"> = {
  isolate: false,
  execArgv: ["--max-semi-space-size=64"],
};

/** Half of the time of a program that starts from its sources goes to compiling them. */
export const env: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/node", import.meta.url)),
};

const globalSetup = "services/scoring/test/support/postgres.ts";
const buildPackages = "services/scoring/test/support/build-packages.ts";

/** The folder of a test tells its project. */
function project(name: string, folder: string, options: TestProjectInlineConfiguration["test"]) {
  const include = [`{packages,services}/*/${folder}/**/*.test.ts`];
  return { extends: true as const, test: { name, include, ...options } };
}

const config: ViteUserConfig = {
  environments,
  test: {
    // Most of a test is waiting for a database or a process; by default one core is kept free.
    maxWorkers: availableParallelism() + 1,
    // To end what hangs, no more: a machine with too much to do takes a minute for a second's work.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env,
    projects: [
      project("unit", "src", {
        include: ["{packages,services}/*/src/**/*.test.ts", "{mutation,scripts}/*.test.ts"],
        ...{ pool: "threads", isolate: false },
      }),
      project("service", "test", { globalSetup, ...worker }),
      project("processes", "processes", { globalSetup: [globalSetup, buildPackages], ...worker }),
    ],
  },
};

export default config;
