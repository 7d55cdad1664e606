import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import type { TestProjectInlineConfiguration, ViteUserConfig } from "vitest/config";

const conditions = ["@maturity/source"];

/** Everything, the set-up before the tests included, is taken from the sources, so that nothing needs a build. */
export const environments: NonNullable<ViteUserConfig["environments"]> = {
  ssr: { resolve: { conditions } },
  __vitest__: { resolve: { conditions } },
};

/** Half of the time of a program that starts from its sources goes to compiling them. */
export const env = { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/node", import.meta.url)) };

const globalSetup = "services/scoring/test/support/postgres.ts";

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
      // These share nothing that one of them changes; a worker for each file costs several times what they do.
      project("unit", "src", {
        include: ["{packages,services}/*/src/**/*.test.ts", "{mutation,scripts}/*.test.ts"],
        ...{ pool: "threads", isolate: false },
      }),
      project("service", "test", { globalSetup }),
      project("processes", "processes", { globalSetup }),
    ],
  },
};

export default config;
