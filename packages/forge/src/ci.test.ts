import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { detectRun, type Run, repositoryAddress } from "./ci.ts";

const sha = "0123456789abcdef0123456789abcdef01234567";
const head = "fedcba9876543210fedcba9876543210fedcba98";
const event = JSON.stringify({ pull_request: { head: { sha: head } } });
const github = {
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REPOSITORY: "shop/cart",
  GITHUB_RUN_ID: "4711",
  GITHUB_RUN_ATTEMPT: "2",
  GITHUB_SHA: sha,
};
const gitlab = {
  GITLAB_CI: "true",
  CI_PIPELINE_ID: "4711",
  CI_PIPELINE_URL: "https://gitlab.example.com/shop/cart/-/pipelines/4711",
  CI_PROJECT_URL: "https://gitlab.example.com/shop/cart",
  CI_COMMIT_SHA: sha,
};
const azure = {
  BUILD_BUILDURI: "vstfs:///Build/Build/4711",
  SYSTEM_COLLECTIONURI: "https://dev.azure.com/acme/",
  SYSTEM_TEAMPROJECT: "The Shop",
  BUILD_BUILDID: "4711",
  BUILD_REPOSITORY_URI: "https://acme@dev.azure.com/acme/The%20Shop/_git/cart",
  BUILD_SOURCEVERSION: sha,
};
const jenkins = {
  JENKINS_URL: "https://jenkins.example.com/",
  BUILD_URL: "https://jenkins.example.com/job/cart/4711/",
  BUILD_TAG: "jenkins-cart-4711",
  GIT_URL: "https://robot:hunter2@git.example.com/shop/cart.git",
  GIT_COMMIT: sha,
};

/** Environments as the CIs make them, shortened to what names the run. */
const runs: Readonly<Record<string, readonly [env: Record<string, string>, run: Run]>> = {
  "GitHub Actions, a push": [
    github,
    {
      ci: "GitHub Actions",
      pipeline_id: "https://github.com/shop/cart/actions/runs/4711/attempts/2",
      project_repo: "https://github.com/shop/cart",
      commit: sha,
    },
  ],
  "GitHub Actions, a pull request: the proposed commit, not the merge": [
    { ...github, GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: "/event.json" },
    {
      ci: "GitHub Actions",
      pipeline_id: "https://github.com/shop/cart/actions/runs/4711/attempts/2",
      project_repo: "https://github.com/shop/cart",
      commit: head,
    },
  ],
  "GitHub Actions, a pull request without its event": [
    { ...github, GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: "/gone.json" },
    {
      ci: "GitHub Actions",
      pipeline_id: "https://github.com/shop/cart/actions/runs/4711/attempts/2",
      project_repo: "https://github.com/shop/cart",
      commit: sha,
    },
  ],
  "GitLab CI": [
    gitlab,
    {
      ci: "GitLab CI/CD",
      pipeline_id: "https://gitlab.example.com/shop/cart/-/pipelines/4711",
      project_repo: "https://gitlab.example.com/shop/cart",
      commit: sha,
    },
  ],
  "GitLab CI, merged results": [
    { ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head },
    {
      ci: "GitLab CI/CD",
      pipeline_id: "https://gitlab.example.com/shop/cart/-/pipelines/4711",
      project_repo: "https://gitlab.example.com/shop/cart",
      commit: head,
    },
  ],
  "GitLab CI, merged results of a branch: the variable is there and empty": [
    { ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: "" },
    {
      ci: "GitLab CI/CD",
      pipeline_id: "https://gitlab.example.com/shop/cart/-/pipelines/4711",
      project_repo: "https://gitlab.example.com/shop/cart",
      commit: sha,
    },
  ],
  "GitLab CI, an address longer than the service takes": [
    { ...gitlab, CI_PIPELINE_URL: `https://gitlab.example.com/${"deep/".repeat(40)}-/pipelines/4711` },
    { ci: "GitLab CI/CD", pipeline_id: "4711", project_repo: "https://gitlab.example.com/shop/cart", commit: sha },
  ],
  "Azure Pipelines": [
    azure,
    {
      ci: "Azure Pipelines",
      pipeline_id: "https://dev.azure.com/acme/The%20Shop/_build/results?buildId=4711",
      project_repo: "https://dev.azure.com/acme/The%20Shop/_git/cart",
      commit: sha,
    },
  ],
  "Azure Pipelines, a pull request": [
    { ...azure, SYSTEM_PULLREQUEST_SOURCECOMMITID: head },
    {
      ci: "Azure Pipelines",
      pipeline_id: "https://dev.azure.com/acme/The%20Shop/_build/results?buildId=4711",
      project_repo: "https://dev.azure.com/acme/The%20Shop/_git/cart",
      commit: head,
    },
  ],
  CircleCI: [
    {
      CIRCLECI: "true",
      CIRCLE_BUILD_URL: "https://circleci.com/gh/shop/cart/4711",
      CIRCLE_REPOSITORY_URL: "git@github.com:shop/cart.git",
      CIRCLE_SHA1: sha,
    },
    {
      ci: "CircleCI",
      pipeline_id: "https://circleci.com/gh/shop/cart/4711",
      project_repo: "https://github.com/shop/cart",
      commit: sha,
    },
  ],
  "Buildkite, before it checked out": [
    {
      BUILDKITE: "true",
      BUILDKITE_BUILD_URL: "https://buildkite.com/shop/cart/builds/4711",
      BUILDKITE_REPO: "ssh://git@git.example.com:2222/shop/cart.git",
      BUILDKITE_COMMIT: "HEAD",
    },
    {
      ci: "Buildkite",
      pipeline_id: "https://buildkite.com/shop/cart/builds/4711",
      project_repo: "https://git.example.com/shop/cart",
    },
  ],
  "Bitbucket Pipelines": [
    {
      BITBUCKET_BUILD_NUMBER: "4711",
      BITBUCKET_GIT_HTTP_ORIGIN: "http://bitbucket.org/shop/cart",
      BITBUCKET_COMMIT: sha,
    },
    {
      ci: "Bitbucket Pipelines",
      pipeline_id: "https://bitbucket.org/shop/cart/pipelines/results/4711",
      project_repo: "https://bitbucket.org/shop/cart",
      commit: sha,
    },
  ],
  "Jenkins, with credentials in the address of the repository": [
    jenkins,
    {
      ci: "Jenkins",
      pipeline_id: "https://jenkins.example.com/job/cart/4711/",
      project_repo: "https://git.example.com/shop/cart",
      commit: sha,
    },
  ],
  "Jenkins without its address and with little from git": [
    { JENKINS_URL: "https://jenkins.example.com/", BUILD_TAG: "jenkins-cart-4711", GIT_URL_1: "/srv/git/cart.git" },
    { ci: "Jenkins", pipeline_id: "jenkins-cart-4711" },
  ],
  "a CI that the library alone knows": [
    { DRONE: "true", DRONE_BUILD_LINK: "https://drone.example.com/shop/cart/4711", DRONE_COMMIT_SHA: sha },
    { ci: "Drone", pipeline_id: "https://drone.example.com/shop/cart/4711", commit: sha },
  ],
  "a Buildkite agent on a machine of Jenkins": [
    { ...jenkins, BUILDKITE: "true", BUILDKITE_BUILD_ID: "0190046e-e199-453b-a302-a21a4d649d31" },
    { ci: "Buildkite", pipeline_id: "0190046e-e199-453b-a302-a21a4d649d31" },
  ],
};

describe("detectRun", () => {
  test.each(Object.entries(runs))("%s", async (_, [env, run]) => {
    expect(await detectRun(env, (path) => (path === "/event.json" ? event : undefined))).toEqual(run);
  });

  test.each<[string, Record<string, string>]>([
    ["no CI", {}],
    ["one that is switched off", { GITHUB_ACTIONS: "false", BUILD_BUILDURI: "0", CIRCLECI: "" }],
    ["CI alone, which says nothing", { CI: "true" }],
  ])("%s", async (_, env) => {
    expect(await detectRun(env, () => undefined)).toBeUndefined();
  });

  test("git is not run, since the settings of the repository can name programs", async () => {
    const folder = await mkdtemp(join(tmpdir(), "maturity-git-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "git"), `#!/bin/sh\necho ${sha}\n`, { mode: 0o755 });
    const env = { JENKINS_URL: "https://jenkins.example.com/", PATH: folder };
    expect(await detectRun(env, () => undefined)).toEqual({ ci: "Jenkins" });
  });

  test("values that the service would refuse are left out", async () => {
    const env = { ...github, GITHUB_RUN_ID: "1\u001b[2J", GITHUB_REPOSITORY: "a".repeat(3_000), GITHUB_SHA: "main" };
    expect(await detectRun(env, () => undefined)).toEqual({ ci: "GitHub Actions" });
  });
});

test.each<[string, string | undefined]>([
  ["https://git.example.com/shop/cart.git", "https://git.example.com/shop/cart"],
  ["https://git.example.com:8443/shop/cart/", "https://git.example.com:8443/shop/cart"],
  ["https://oauth2:hunter2@git.example.com/shop/cart", "https://git.example.com/shop/cart"],
  ["git@git.example.com:shop/cart.git", "https://git.example.com/shop/cart"],
  ["git.example.com:shop/cart", "https://git.example.com/shop/cart"],
  ["ssh://git@git.example.com:22/shop/cart.git", "https://git.example.com/shop/cart"],
  ["git://git.example.com/shop/cart.git", "https://git.example.com/shop/cart"],
  ["file:///srv/git/cart.git", undefined],
  ["C:\\git\\cart", undefined],
  ["../cart", undefined],
  ["", undefined],
])("the repository of %s", (remote, address) => {
  expect(repositoryAddress(remote)).toBe(address);
});
