import { devNull } from "node:os";
import { own } from "@maturity/command-line/own";
import { maxOrigin, nameFault } from "@maturity/core/wire";

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

/** What `env-ci` does not know of a run. */
interface Addition {
  /** The address of the run. */
  readonly url?: string | undefined;
  /** The id of the run, where the build number alone is not unique. */
  readonly id?: string | undefined;
  readonly repository?: string | undefined;
  /** The proposed commit of a pull request, not the merge commit that the CI made from it. */
  readonly commit?: string | undefined;
}

/** By the keys of `env-ci`. */
const additions: Readonly<Record<string, (env: Env, read: ReadFile) => Addition>> = {
  github: (env, read) => ({
    url: all`${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}/attempts/${env.GITHUB_RUN_ATTEMPT ?? "1"}`,
    repository: all`${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}`,
    commit: pullRequestOf(env, read)?.commit,
  }),
  gitlab: (env) => ({
    url: env.CI_PIPELINE_URL,
    repository: env.CI_PROJECT_URL,
    commit: env.CI_MERGE_REQUEST_SOURCE_BRANCH_SHA,
  }),
  azurePipelines: (env) => ({
    url: all`${env.SYSTEM_COLLECTIONURI}${env.SYSTEM_TEAMPROJECT && encodeURIComponent(env.SYSTEM_TEAMPROJECT)}/_build/results?buildId=${env.BUILD_BUILDID}`,
    id: env.BUILD_BUILDID,
    repository: env.BUILD_REPOSITORY_URI,
    commit: env.SYSTEM_PULLREQUEST_SOURCECOMMITID,
  }),
  circleci: (env) => ({ id: env.CIRCLE_WORKFLOW_ID, repository: env.CIRCLE_REPOSITORY_URL }),
  buildkite: (env) => ({ id: env.BUILDKITE_BUILD_ID, repository: env.BUILDKITE_REPO }),
  bitbucket: ({ BITBUCKET_GIT_HTTP_ORIGIN: origin, BITBUCKET_BUILD_NUMBER: build }) => {
    const repository = origin?.replace(/^http:/, "https:");
    return { url: all`${repository}/pipelines/results/${build}`, repository };
  },
  jenkins: (env) => ({ id: env.BUILD_TAG, repository: env.GIT_URL || env.GIT_URL_1 }),
};

/** What `env-ci` says of a run; `service` is its key of the CI, and absent outside of a known CI. */
export async function detectCi(env: Env): Promise<ReturnType<typeof import("env-ci").default>> {
  const { default: envCi } = await import("env-ci");
  const set = Object.entries(env).filter(([name, value]) => name !== eventPath && !/^(?:|0|false)$/i.test(value ?? ""));
  // A directory that cannot be entered keeps the library from running git, which would obey the settings of the repository.
  return envCi({ env: Object.fromEntries(set), cwd: devNull });
}

/** Finds the run of the CI to which these environment variables belong. Undefined outside of a known CI. */
export async function detectRun(env: Env, read: ReadFile): Promise<Run | undefined> {
  const { name: ci, service, ...found } = await detectCi(env);
  if (!ci || !service) return undefined;
  const { url = found.buildUrl, id = found.build, ...added } = own(additions, service)?.(env, read) ?? {};
  const pipeline_id = [url, id].find((one) => one && fits(one, maxOrigin.pipeline_id) && !/\bundefined\b/.test(one));
  const project_repo = repositoryAddress(added.repository);
  const commit = added.commit || found.commit;
  return {
    ci,
    ...(pipeline_id !== undefined && { pipeline_id }),
    ...(project_repo !== undefined && fits(project_repo, maxOrigin.project_repo) && { project_repo }),
    ...(commit !== undefined && /^[0-9a-f]{7,64}$/i.test(commit) && { commit }),
  };
}

/** The library throws where it cannot read this file of GitHub. */
const eventPath = "GITHUB_EVENT_PATH";

/** A pull request of GitHub. */
export interface PullRequest {
  readonly number?: number | undefined;
  /** Its head. */
  readonly commit?: string | undefined;
  /** The fork that it comes from, as `owner/name`. Undefined if it comes from the same repository. */
  readonly fork?: string | undefined;
}

/** The pull request of a run. GitHub says it only in the file that describes the event. */
export function pullRequestOf(
  { GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: path, GITHUB_REPOSITORY: repository }: Env,
  read: ReadFile,
): PullRequest | undefined {
  if (!event?.startsWith("pull_request") || !path) return undefined;
  try {
    const { number, head } = JSON.parse(read(path) ?? "null").pull_request;
    const from = head?.repo?.full_name ?? "that is deleted";
    return { number, commit: head?.sha, ...(from !== repository && { fork: from }) };
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
