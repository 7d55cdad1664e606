import type { CreateForge } from "./forge.ts";

/** GitLab.com, and a server of one's own by its `CI_API_V4_URL`. */
export const createGitLab: CreateForge = (env) => {
  const { CI_API_V4_URL: api, CI_PROJECT_ID: project, CI_COMMIT_SHA: commit, CI_PIPELINE_ID: pipeline } = env;
  if (!api || !project || !commit) return "CI_API_V4_URL, CI_PROJECT_ID or CI_COMMIT_SHA is not set";
  const place = mergeRequestOf(env);
  const advice =
    "put a project access token with the scope api and the role Developer into a variable GITLAB_TOKEN, masked and not protected; CI_JOB_TOKEN may neither comment nor set a status";
  return {
    name: "GitLab",
    api: api.replace(/\/+$/, ""),
    token: env.GITLAB_TOKEN?.trim(),
    headers: { accept: "application/json" },
    wantsToken: advice,
    wants: () =>
      `the token needs the scope api and the role Developer in the project ${env.CI_PROJECT_PATH ?? project}`,
    place: place ?? "this pipeline is of no merge request",
    edit: "PUT",
    async self(call) {
      const { data } = await call("GET", "/user");
      return Object(data).id;
    },
    authorOf: (note) => Object((note as { author?: unknown }).author).id,
    // With its pipeline, because a status without one may begin a pipeline of its own.
    status: ({ name, isMet, text, link }) => ({
      path: `/projects/${project}/statuses/${commit}`,
      body: {
        ...{ state: isMet ? "success" : "failed", name, description: text },
        ...(link && { target_url: link }),
        ...(pipeline && { pipeline_id: Number(pipeline) }),
      },
    }),
  };
};

/** The merge request of a pipeline, or the first open one of its branch. It belongs to the project that it would change. */
function mergeRequestOf(env: Readonly<Record<string, string | undefined>>) {
  const [, path, open] = /^([^!,]+)!(\d+)/.exec(env.CI_OPEN_MERGE_REQUESTS ?? "") ?? [];
  const number = env.CI_MERGE_REQUEST_IID || open;
  const project = env.CI_MERGE_REQUEST_IID ? env.CI_MERGE_REQUEST_PROJECT_ID || env.CI_PROJECT_ID : path;
  if (!number || !project) return undefined;
  const comments = `/projects/${encodeURIComponent(project)}/merge_requests/${number}/notes`;
  return { name: `merge request ${number}`, comments, comment: `${comments}/` };
}
