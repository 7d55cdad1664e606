import type { ViteUserConfig } from "vitest/config";

const conditions = ["@maturity/source"];

/** Everything, the set-up before the tests included, is taken from the sources, so that nothing needs a build. */
export const environments: NonNullable<ViteUserConfig["environments"]> = {
  ssr: { resolve: { conditions } },
  __vitest__: { resolve: { conditions } },
};

const config: ViteUserConfig = {
  environments,
  test: {
    globalSetup: "services/scoring/test/support/postgres.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    include: ["{packages,services}/*/{src,test}/**/*.test.ts"],
  },
};

export default config;
