import packageJson from "../../package.json" with { type: "json" };
import type { Answers } from "../answers.ts";

/** What the package that is written depends on. A core that does not understand its contract refuses it by name. */
const ranges = { core: `>=${packageJson.version}`, changesets: "^3.0.3" } as const;

const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** All that stands around a scorecard: path in its folder → text. */
export function projectFiles(answers: Answers): Record<string, string> {
  const { package: name, scorecard, registry, ci } = answers;
  const title = scorecard.charAt(0).toUpperCase() + scorecard.slice(1).replaceAll("_", " ");
  return {
    "package.json": json({
      name,
      version: "0.0.0",
      description: `${title} scorecard of Maturity`,
      type: "module",
      exports: "./index.js",
      files: ["*.js", "!*.test.js", "!preview.js", "CHANGELOG.md"],
      scripts: { test: "node --test", preview: "node preview.js" },
      peerDependencies: { "@maturity/core": ranges.core },
      devDependencies: { "@changesets/cli": ranges.changesets },
    }),
    ".changeset/config.json": json({
      changelog: "@changesets/cli/changelog",
      access: "restricted",
      baseBranch: "main",
    }),
    ".changeset/first-release.md": `---
"${name}": major
---

First release. Applications that report to the scorecard \`${scorecard}\` get scores of it, so their own score moves.
`,
    ...(ci === "github" && { ".github/workflows/ci.yml": github }),
    ...(ci === "gitlab" && { ".gitlab-ci.yml": gitlab }),
    ".gitignore": "node_modules\n/before\n/.npm\n*.tgz\n*.jsonl\n/replay.md\n",
    ...(registry && { ".npmrc": `@maturity:registry=${registry}\n` }),
  };
}

/** Fails where a package changed without a changeset. A release, which has another version, has used up its changesets. */
const askForChangeset = `test -n "$(git diff -G'"version":' origin/main... -- package.json)" || npx changeset status --since=origin/main`;

const github = `name: CI
on:
  pull_request:
  push:
    branches: [main]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@d23441a48e516b6c34aea4fa41551a30e30af803 # v6.1.0
        with:
          fetch-depth: 0
      - uses: actions/setup-node@249970729cb0ef3589644e2896645e5dc5ba9c38 # v6.5.0
        with:
          node-version: 24
          cache: npm
      - run: npm ci
      - run: npm test
      # A release has another version, and has used up its changesets.
      - run: ${askForChangeset}
        if: github.event_name == 'pull_request'
`;

const gitlab = `workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
test:
  image: node:24
  variables:
    GIT_DEPTH: "0"
  cache:
    key:
      files: [package-lock.json]
    paths: [.npm]
  script:
    - npm ci --cache .npm --prefer-offline
    - npm test
    - |
      if [ "$CI_PIPELINE_SOURCE" = merge_request_event ]; then
        git fetch origin +refs/heads/main:refs/remotes/origin/main
        # A release has another version, and has used up its changesets.
        ${askForChangeset}
      fi
`;
