import type { ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = {
  resolve: { conditions: ["@maturity/source"] },
  ssr: { resolve: { conditions: ["@maturity/source", "node", "import", "module", "default"] } },
  test: {
    include: [
      "packages/*/src/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "services/*/src/**/*.test.ts",
      "services/*/test/**/*.test.ts",
    ],
  },
};

export default config;
