import { availableParallelism } from "node:os";
import type { ViteUserConfig } from "vitest/config";
import { env, environments, worker } from "./vitest.config.ts";

/** The tests that need Prometheus: `vitest run --config vitest.e2e.config.ts`. */
const config: ViteUserConfig = {
  environments,
  test: {
    env,
    ...worker,
    globalSetup: [
      "services/scoring/e2e/support/require-prometheus.ts",
      "services/scoring/test/support/postgres.ts",
      "packages/board/e2e/support/build-page.ts",
    ],
    // Most of a test is waiting for a page, a scrape or a process.
    maxWorkers: availableParallelism(),
    testTimeout: 120_000,
    // On a busy machine the default, a second, is too short for what a browser draws.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
    include: ["{packages,services}/*/e2e/**/*.test.ts"],
  },
};

export default config;
