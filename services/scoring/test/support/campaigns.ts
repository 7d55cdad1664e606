import { readPage } from "./reading.ts";
import type { Answer } from "./requests.ts";
import { post, type Server } from "./requests.ts";

const json = { "content-type": "application/json" };

/** The day so many days from now, in UTC. */
export function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** A campaign that anybody may make: no secrets, in 60 days. */
export const secrets: {
  readonly name: string;
  readonly why: { readonly text: string };
  readonly owner: string;
  readonly goal: object;
  readonly due: string;
} = {
  name: "No secrets",
  why: { text: "Secrets in repositories were the cause of two incidents." },
  owner: "security office",
  goal: { metric: "security.secret_scan", min: 100 },
  due: dayIn(60),
};

/** Reports a score of each metric: its raw by `scorecard.metric`. */
export async function report(
  server: Server,
  target: object,
  raws: Readonly<Record<string, object>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [name, raw] of Object.entries(raws)) {
    const [scorecard, metric] = name.split(".");
    const { status, body } = await post(
      server,
      "/score",
      { ...target, scorecard, metric, raw },
      { ...json, ...headers },
    );
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
}

/** Makes a campaign and gives it. */
export async function campaign(
  server: Server,
  fields: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly id: string }> {
  const { status, body } = await post(server, "/campaigns", { ...secrets, ...fields }, { ...json, ...headers });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body as { readonly id: string } & object;
}

/** Changes a campaign. */
export async function change(
  { server }: Server,
  id: string,
  fields: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const payload = JSON.stringify(fields);
  const answer = await server.inject({
    method: "PATCH",
    url: `/campaigns/${id}`,
    headers: { ...json, ...headers },
    payload,
  });
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.payload) };
}

/** Reads a campaign. */
export async function read(
  { server }: Server,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const answer = await server.inject({ url: `/campaigns/${id}`, headers });
  return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.payload) };
}

/** The items of a list of a campaign. */
export async function itemsOf(
  server: Server,
  id: string,
  list: "members" | "days" | "groups",
  query: Readonly<Record<string, string | number>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>[]> {
  return (await readPage<Record<string, unknown>>(server, `/campaigns/${id}/${list}`, query, headers)).items;
}
