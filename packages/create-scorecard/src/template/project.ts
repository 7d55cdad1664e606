import corePackage from "../../../core/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import type { Answers } from "../answers.ts";

/** What the package that is written depends on. A core that does not understand its contract refuses it by name. */
const core = `>=${packageJson.version}`;

/** What `@maturity/core/testing` makes its inputs with, in the range of core. */
const fastCheck = corePackage.peerDependencies["fast-check"];

const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

/** What the files around a scorecard say of it. */
export interface Project extends Pick<Answers, "package" | "scorecard" | "ci" | "registry"> {
  /** Default: the first one, 1.0.0. */
  readonly version?: string;
}

/** All that stands around a scorecard: path in its folder → text. */
export function projectFiles(project: Project): Record<string, string> {
  const { package: name, version = "1.0.0", scorecard, registry, ci } = project;
  const title = scorecard.charAt(0).toUpperCase() + scorecard.slice(1).replaceAll("_", " ");
  return {
    "package.json": json({
      name,
      version,
      description: `${title} scorecard of Maturity`,
      type: "module",
      exports: "./index.js",
      files: ["index.js", "CHANGELOG.md"],
      scripts: { test: "node --test", preview: "maturity-preview ./index.js" },
      peerDependencies: { "@maturity/core": core },
      devDependencies: { "fast-check": fastCheck },
    }),
    ...(ci === "github" && { ".github/workflows/ci.yml": github }),
    ...(ci === "gitlab" && { ".gitlab-ci.yml": gitlab }),
    ".gitignore": "node_modules\n/before\n/.npm\n*.tgz\n*.jsonl\n/replay.md\n",
    ...(registry && { ".npmrc": npmrc(name, registry) }),
  };
}

/** Names the registry for Maturity and for the scope of the package, so that `npm publish` and `npm view` ask it too. */
function npmrc(name: string, registry: string): string {
  const scopes = new Set(["@maturity", ...(name.startsWith("@") ? name.split("/", 1) : [])]);
  return [...scopes].map((scope) => `${scope}:registry=${registry}\n`).join("");
}

/** Fails where a scorecard changed and its version did not. */
const askForVersion = `git diff --quiet origin/main... -- '*.js' '*.ts' ':!*.test.js' ':!*.test.ts' ||
${" ".repeat(10)}git diff -G'"version":' origin/main... -- package.json | grep --quiet . ||
${" ".repeat(10)}{ echo "the scorecard changed, so it needs another version, such as npm version minor makes" >&2; exit 1; }`;

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
      - if: github.event_name == 'pull_request'
        run: |
          ${askForVersion}
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
        ${askForVersion.replaceAll("\n          ", "\n        ")}
      fi
`;
