import { once } from "node:events";
import { type Agent, request } from "node:http";

/** An answer, and how long it took to its last byte. */
export interface Got {
  readonly milliseconds: number;
  readonly text: string;
}

/** Asks for a page. Any answer that is no success ends the bench. */
export async function ask(agent: Agent, url: string, headers: Record<string, string> = {}): Promise<Got> {
  const began = performance.now();
  const sent = request(url, { agent, headers });
  sent.end();
  const [response] = await once(sent, "response");
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += piece;
  if (response.statusCode !== 200)
    throw new Error(`${url} was answered with ${response.statusCode}: ${text.slice(0, 500)}`);
  return { milliseconds: performance.now() - began, text };
}
