import { nameFault } from "@maturity/core/wire";

/** The run of a CI that reports a result. */
export interface Run {
  /** Name of the CI. */
  readonly ci: string;
  /** Address of the run, or its id if the service would refuse the address. */
  readonly pipeline_id?: string;
  /** Address of the repository, for a browser. Without credentials. */
  readonly project_repo?: string;
  readonly commit?: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the text of a file that the CI wrote, or undefined if it cannot be read. */
export type ReadFile = (path: string) => string | undefined;

interface Provider {
  readonly ci: string;
  /** Name of a variable that is set in every run of this CI, and only there. */
  readonly mark: string;
  /** The address of the run, then its id, which is used if the address cannot be. */
  run(env: Env): readonly (string | undefined)[];
  repository(env: Env): string | undefined;
  /** In a pull request this is the proposed commit, not the merge commit that the CI made from it. */
  commit(env: Env, read: ReadFile): string | undefined;
}

/** The first match counts. Jenkins is last, because others may run on a machine where Jenkins has set its variables. */
const providers: readonly Provider[] = [
  {
    ci: "GitHub Actions",
    mark: "GITHUB_ACTIONS",
    run: ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT }) => [
      all`${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}/attempts/${GITHUB_RUN_ATTEMPT ?? "1"}`,
      GITHUB_RUN_ID,
    ],
    repository: ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }) => all`${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`,
    commit: (env, read) => proposedCommit(env, read) ?? env.GITHUB_SHA,
  },
  {
    ci: "GitLab CI",
    mark: "GITLAB_CI",
    run: ({ CI_PIPELINE_URL, CI_PIPELINE_ID }) => [CI_PIPELINE_URL, CI_PIPELINE_ID],
    repository: ({ CI_PROJECT_URL }) => CI_PROJECT_URL,
    commit: ({ CI_MERGE_REQUEST_SOURCE_BRANCH_SHA, CI_COMMIT_SHA }) =>
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA || CI_COMMIT_SHA,
  },
  {
    ci: "Azure Pipelines",
    mark: "TF_BUILD",
    run: ({ SYSTEM_COLLECTIONURI, SYSTEM_TEAMPROJECT, BUILD_BUILDID }) => [
      all`${SYSTEM_COLLECTIONURI}${SYSTEM_TEAMPROJECT && encodeURIComponent(SYSTEM_TEAMPROJECT)}/_build/results?buildId=${BUILD_BUILDID}`,
      BUILD_BUILDID,
    ],
    repository: ({ BUILD_REPOSITORY_URI }) => BUILD_REPOSITORY_URI,
    commit: ({ SYSTEM_PULLREQUEST_SOURCECOMMITID, BUILD_SOURCEVERSION }) =>
      SYSTEM_PULLREQUEST_SOURCECOMMITID || BUILD_SOURCEVERSION,
  },
  {
    ci: "CircleCI",
    mark: "CIRCLECI",
    run: ({ CIRCLE_BUILD_URL, CIRCLE_WORKFLOW_ID }) => [CIRCLE_BUILD_URL, CIRCLE_WORKFLOW_ID],
    repository: ({ CIRCLE_REPOSITORY_URL }) => CIRCLE_REPOSITORY_URL,
    commit: ({ CIRCLE_SHA1 }) => CIRCLE_SHA1,
  },
  {
    ci: "Buildkite",
    mark: "BUILDKITE",
    run: ({ BUILDKITE_BUILD_URL, BUILDKITE_BUILD_ID }) => [BUILDKITE_BUILD_URL, BUILDKITE_BUILD_ID],
    repository: ({ BUILDKITE_REPO }) => BUILDKITE_REPO,
    commit: ({ BUILDKITE_COMMIT }) => BUILDKITE_COMMIT,
  },
  {
    ci: "Bitbucket Pipelines",
    mark: "BITBUCKET_BUILD_NUMBER",
    run: ({ BITBUCKET_GIT_HTTP_ORIGIN, BITBUCKET_BUILD_NUMBER }) => [
      all`${BITBUCKET_GIT_HTTP_ORIGIN?.replace(/^http:/, "https:")}/pipelines/results/${BITBUCKET_BUILD_NUMBER}`,
      BITBUCKET_BUILD_NUMBER,
    ],
    repository: ({ BITBUCKET_GIT_HTTP_ORIGIN }) => BITBUCKET_GIT_HTTP_ORIGIN?.replace(/^http:/, "https:"),
    commit: ({ BITBUCKET_COMMIT }) => BITBUCKET_COMMIT,
  },
  {
    ci: "Jenkins",
    mark: "JENKINS_URL",
    run: ({ BUILD_URL, BUILD_TAG }) => [BUILD_URL, BUILD_TAG],
    repository: ({ GIT_URL, GIT_URL_1 }) => GIT_URL || GIT_URL_1,
    commit: ({ ghprbActualCommit, GIT_COMMIT }) => ghprbActualCommit || GIT_COMMIT,
  },
];

/** The most characters that the service accepts. */
export const maxPipelineId = 200;
export const maxRepository = 2_048;

/** Finds the run of the CI to which these environment variables belong. Undefined outside of a known CI. */
export function detectRun(env: Env, read: ReadFile): Run | undefined {
  const provider = providers.find(({ mark }) => env[mark] !== undefined && !/^(?:|0|false)$/i.test(env[mark]));
  if (!provider) return undefined;
  const pipeline_id = provider.run(env).find((id) => id !== undefined && fits(id, maxPipelineId));
  const project_repo = repositoryAddress(provider.repository(env));
  const commit = provider.commit(env, read);
  return {
    ci: provider.ci,
    ...(pipeline_id !== undefined && { pipeline_id }),
    ...(project_repo !== undefined && fits(project_repo, maxRepository) && { project_repo }),
    ...(commit !== undefined && /^[0-9a-f]{7,64}$/i.test(commit) && { commit }),
  };
}

/** The head of the pull request. GitHub tells it only in the file that describes the event. */
function proposedCommit({ GITHUB_EVENT_NAME, GITHUB_EVENT_PATH }: Env, read: ReadFile): string | undefined {
  if (!GITHUB_EVENT_NAME?.startsWith("pull_request") || !GITHUB_EVENT_PATH) return undefined;
  try {
    return JSON.parse(read(GITHUB_EVENT_PATH) ?? "null")?.pull_request?.head?.sha;
  } catch {
    return undefined; // the merge commit is used instead
  }
}

/**
 * The address at which a browser opens a repository. `git@host:shop/cart.git` and `https://token@host/shop/cart.git`
 * both become `https://host/shop/cart`. Undefined for anything that is no address of a host.
 */
export function repositoryAddress(remote: string | undefined): string | undefined {
  if (!remote) return undefined;
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)\/?(.+)$/.exec(remote) ?? [];
  const address = host && path && !/^[a-z]$/i.test(host) ? `https://${host}/${path}` : remote;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, port, pathname } = new URL(address);
  const isWeb = protocol === "https:" || protocol === "http:";
  if (!isWeb && protocol !== "ssh:" && protocol !== "git:") return undefined;
  const origin = isWeb ? `${protocol}//${hostname}${port && `:${port}`}` : `https://${hostname}`;
  return origin + pathname.replace(/(?:\.git)?\/*$/, "");
}

/** A template tag that returns the text, or undefined if one of its values is missing or empty. */
function all(texts: TemplateStringsArray, ...parts: (string | undefined)[]): string | undefined {
  if (parts.some((part) => !part)) return undefined;
  return String.raw({ raw: texts }, ...parts);
}

/** Whether the service accepts this text. */
function fits(text: string, maximum: number): boolean {
  return nameFault(text, maximum) === undefined;
}
