import { Boom } from "@hapi/boom";
import { expect } from "vitest";
import type { TestService } from "./service.ts";

/** An answer with its JSON body, as a client reads it. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A body to send: bytes and texts as they are, anything else as JSON. */
export type Payload = string | Buffer | object;

export type Server = Pick<TestService, "server">;

const json = { "content-type": "application/json" };

type Send = (
  server: Server,
  url: string,
  payload: Payload,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Sends a body as JSON, or with these headers instead of the JSON content type. */
export const post: Send = sendBy("POST");

/** As `post`, with PUT. */
export const put: Send = sendBy("PUT");

function sendBy(method: string): Send {
  return async ({ server }, url, payload, headers = json) => {
    const raw = typeof payload === "string" || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    const response = await server.inject({ method, url, headers: { ...headers }, payload: raw });
    return { status: response.statusCode, headers: response.headers, body: JSON.parse(response.payload) };
  };
}

/** All rows of a table, by names. */
export async function rows(
  { database }: Pick<TestService, "database">,
  table: "scores" | "problems",
): Promise<Record<string, unknown>[]> {
  const result = await database.knex.raw(`SELECT * FROM ${table}_by_name ORDER BY area, team, app, env, labels`);
  return result.rows;
}

/** What an error must be. */
export interface Refusal {
  readonly status?: number;
  readonly code?: string;
  /** Of the details, in any order. */
  readonly paths?: readonly string[];
  readonly message?: RegExp;
}

/** Expects an error with exactly the documented members, which shows nothing of the inside. */
export function expectRefusal({ status, body }: Answer, expected: Refusal): void {
  const { status: wanted = 400, code = "invalid-payload", paths = [], message = /./ } = expected;
  const details = (body.details ?? []) as { path: string; message: string }[];
  expect({ status, code: body.code, paths: details.map(({ path }) => path).sort() }).toEqual({
    status: wanted,
    code,
    paths: [...paths].sort(),
  });
  expect(body).toEqual({
    statusCode: wanted,
    error: new Boom("", { statusCode: wanted }).output.payload.error,
    message: expect.stringMatching(message),
    code,
    ...(paths.length > 0 && {
      details: details.map(() => ({ path: expect.any(String), message: expect.any(String) })),
    }),
  });
  expect(JSON.stringify(body)).not.toMatch(/\.ts:\d|node_modules|\bat \w+ \(|INSERT|SELECT|hunter2|postgres:\/\//);
}

/** Waits until the database's clock, in milliseconds, is past what it is now. */
export async function nextMillisecond({ database }: Pick<TestService, "database">): Promise<void> {
  const clock = async () => Number((await database.knex.raw("SELECT now() AS now")).rows[0].now);
  const start = await clock();
  while ((await clock()) <= start);
}
