import type { ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = {
  ssr: { resolve: { conditions: ["@maturity/source"] } },
  test: {
    globalSetup: "services/scoring/test/support/postgres.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "services/*/src/**/*.test.ts",
      "services/*/test/**/*.test.ts",
    ],
  },
};

export default config;
