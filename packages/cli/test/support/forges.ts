import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { useDirectory } from "../../../../test-support/trees.ts";

/** A comment as a test sees it. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  body: string;
}

/** A request, before it is answered. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Answers in place of the server, by a status with headers and a body. `lost` works, and then drops the connection. */
export type Fault = { status: number; headers?: Record<string, string>; body?: string } | "stalled" | "lost";

/** A server that speaks the documented API of a forge, as far as comments and statuses need it. */
export interface ForgeServer {
  readonly comments: Comment[];
  readonly statuses: (Asked & { readonly sha: string })[];
  readonly asked: Asked[];
  /** Called for each request; what it returns is the answer. It may wait. */
  fault: (asked: Asked) => Fault | undefined | Promise<undefined>;
  /** The variables of a run about pull request 7 by the account `bot`. */
  readonly env: Readonly<Record<string, string>>;
}

export const token = "t0ken-of-the-forge";
export const bot = "bot[bot]";
const head = "1234567890abcdef1234567890abcdef12345678";

/** What differs between the forges. */
interface Dialect {
  /** Paths of the comments, of a single one with its id, of statuses with their commit, and of who asks. */
  readonly paths: Readonly<Record<"comments" | "comment" | "status" | "self", RegExp>>;
  readonly base: string;
  readonly edit: string;
  readonly longest: number;
  self(): object;
  shown(comment: Comment): object;
  readonly unauthorized: object;
  env(url: string): Promise<Record<string, string>>;
}

/** The event of a pull request, as GitHub describes it in a file. */
export async function eventFile(from = "shop/cart"): Promise<string> {
  const path = join(await useDirectory(), "event.json");
  const repo = from === "" ? null : { full_name: from };
  await writeFile(path, JSON.stringify({ number: 7, pull_request: { number: 7, head: { sha: head, repo } } }));
  return path;
}

const dialects: Readonly<Record<"GitHub" | "GitLab", Dialect>> = {
  GitHub: {
    base: "/api/v3",
    paths: {
      comments: /^\/api\/v3\/repos\/shop\/cart\/issues\/7\/comments$/,
      comment: /^\/api\/v3\/repos\/shop\/cart\/issues\/comments\/(\d+)$/,
      status: /^\/api\/v3\/repos\/shop\/cart\/statuses\/(\w+)$/,
      self: /^\/api\/graphql$/,
    },
    edit: "PATCH",
    longest: 65_536,
    self: () => ({ data: { viewer: { login: bot } } }),
    shown: ({ author, ...comment }) => ({ ...comment, user: { login: author } }),
    unauthorized: { message: "Bad credentials", status: "401" },
    env: async (url) => ({
      ...{ GITHUB_ACTIONS: "true", GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH: await eventFile() },
      ...{ GITHUB_REPOSITORY: "shop/cart", GITHUB_SHA: "f".repeat(40), GITHUB_TOKEN: token, GITHUB_RUN_ID: "9" },
      ...{ GITHUB_SERVER_URL: "https://github.example.com", GITHUB_API_URL: `${url}/api/v3` },
    }),
  },
  GitLab: {
    base: "/api/v4",
    paths: {
      comments: /^\/api\/v4\/projects\/3\/merge_requests\/7\/notes$/,
      comment: /^\/api\/v4\/projects\/3\/merge_requests\/7\/notes\/(\d+)$/,
      status: /^\/api\/v4\/projects\/3\/statuses\/(\w+)$/,
      self: /^\/api\/v4\/user$/,
    },
    edit: "PUT",
    longest: 1_000_000,
    self: () => ({ id: idOf(bot), username: bot }),
    shown: ({ author, ...note }) => ({ ...note, system: false, author: { id: idOf(author), username: author } }),
    unauthorized: { message: "401 Unauthorized" },
    env: async (url) => ({
      ...{ GITLAB_CI: "true", CI_API_V4_URL: `${url}/api/v4`, CI_PROJECT_ID: "3", CI_PROJECT_PATH: "shop/cart" },
      ...{ CI_COMMIT_SHA: head, CI_PIPELINE_ID: "9", GITLAB_TOKEN: token, CI_JOB_TOKEN: "job-t0ken" },
      ...{ CI_PIPELINE_URL: "https://gitlab.example.com/shop/cart/-/pipelines/9" },
      ...{ CI_MERGE_REQUEST_ID: "77", CI_MERGE_REQUEST_IID: "7", CI_MERGE_REQUEST_PROJECT_ID: "3" },
    }),
  },
};

function idOf(author: string): number {
  return [...author].reduce((sum, sign) => sum * 31 + sign.charCodeAt(0), 7) % 1_000_003;
}

/** Starts a server for one test. It gives at most this number of comments a page. */
export async function useForge(name: keyof typeof dialects, mostOfPage = 100): Promise<ForgeServer> {
  const dialect = dialects[name];
  const forge: ForgeServer & { env: ForgeServer["env"] } = {
    ...{ comments: [], statuses: [], asked: [], fault: () => undefined, env: {} },
  };
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? "", "http://localhost");
    const { method = "" } = request;
    const body = method === "POST" || method === dialect.edit ? ((await json(request)) as Asked["body"]) : {};
    const asked = { method, path, body };
    forge.asked.push(asked);
    const fault = await forge.fault(asked);
    if (fault === "stalled") return;
    if (typeof fault === "object") {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? "{}");
      return;
    }
    const send = (status: number, data: unknown, headers: Record<string, string> = {}) => {
      if (fault === "lost") response.destroy();
      else response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(data));
    };
    if (request.headers.authorization !== `Bearer ${token}`) return send(401, dialect.unauthorized);
    const match = (kind: keyof Dialect["paths"]) => dialect.paths[kind].exec(path);
    if (match("self")) return send(200, dialect.self());
    if (match("comments") && method === "POST") {
      if (String(body.body).length > dialect.longest) return send(422, { message: "Validation Failed" });
      const made = { id: (forge.comments.at(-1)?.id ?? 0) + 1, author: bot, body: String(body.body) };
      forge.comments.push(made);
      return send(201, dialect.shown(made));
    }
    if (match("comments")) {
      const size = Math.min(Number(searchParams.get("per_page")), mostOfPage);
      const page = Number(searchParams.get("page"));
      const more = forge.comments.length > page * size;
      const next = `<https://elsewhere.example${path}?per_page=${size}&page=${page + 1}>; rel="next"`;
      const link = { link: `<https://elsewhere.example${path}?page=1>; rel="first"${more ? `, ${next}` : ""}` };
      return send(200, forge.comments.slice((page - 1) * size, page * size).map(dialect.shown), link);
    }
    const [, id] = match("comment") ?? [];
    const index = forge.comments.findIndex((comment) => comment.id === Number(id));
    const comment = forge.comments[index];
    if (comment && method === dialect.edit) {
      comment.body = String(body.body);
      return send(200, dialect.shown(comment));
    }
    if (comment && method === "DELETE") {
      forge.comments.splice(index, 1);
      response.writeHead(204).end();
      return;
    }
    const [, sha] = match("status") ?? [];
    if (sha && method === "POST") {
      if (String(body.description).length > 140) return send(422, { message: "description is too long" });
      forge.statuses.push({ ...asked, sha });
      return send(201, { id: 1 });
    }
    send(404, { message: "Not Found" });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  forge.env = await dialect.env(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return forge;
}
