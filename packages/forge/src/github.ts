import { pullRequestOf } from "./ci.ts";
import type { CreateForge } from "./forge.ts";

/** GitHub, and a GitHub Enterprise Server by its `GITHUB_API_URL`. */
export const createGitHub: CreateForge = (env, read) => {
  const { GITHUB_REPOSITORY: repository, GITHUB_SHA: sha } = env;
  const api = (env.GITHUB_API_URL || "https://api.github.com").replace(/\/+$/, "");
  if (!repository || !sha) return `${repository ? "GITHUB_SHA" : "GITHUB_REPOSITORY"} is not set`;
  const { number, commit = sha, fork } = pullRequestOf(env, read) ?? {};
  const permissions = { comment: "pull-requests: write", status: "statuses: write" };
  return {
    name: "GitHub",
    api,
    token: env.GITHUB_TOKEN?.trim(),
    headers: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
    wantsToken: "set GITHUB_TOKEN to github.token in the environment of the step",
    wants: (what) =>
      fork === undefined
        ? `the token needs the permission ${permissions[what]} in the job`
        : `the pull request comes from the fork ${fork}, and there a run may only read; the gate alone decides`,
    place: number
      ? {
          name: `pull request ${number}`,
          comments: `/repos/${repository}/issues/${number}/comments`,
          comment: `/repos/${repository}/issues/comments/`,
        }
      : "this run is of no pull request",
    edit: "PATCH",
    // The REST API does not say whose token a run has. GraphQL does.
    async self(call) {
      const address = `${api.replace(/\/v3$/, "")}/graphql`;
      const { data } = await call("POST", address, { query: "{ viewer { login } }" });
      return Object(Object(Object(data).data).viewer).login;
    },
    authorOf: (comment) => Object((comment as { user?: unknown }).user).login,
    status: ({ name, isMet, text, link }) => ({
      path: `/repos/${repository}/statuses/${commit}`,
      body: {
        state: isMet ? "success" : "failure",
        context: name,
        description: text,
        ...(link && { target_url: link }),
      },
    }),
  };
};
