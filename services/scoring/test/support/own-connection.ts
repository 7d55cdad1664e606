import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

/** Sends a body on a connection of its own. */
export function post(address: string, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json", connection: "close" };
  return fetch(new URL(path, address), { method: "POST", headers, body: JSON.stringify(body) });
}

/** Asks for a page on a connection of its own. Nothing of its body is read until the caller reads. */
export function open(
  address: string,
  path: string,
  options: { headers?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(new URL(path, address), { agent: false, ...options }, resolve)
      .once("error", reject)
      .end();
  });
}

/** Reads a page on a connection of its own. */
export async function get(address: string, path: string): Promise<string> {
  return text(await open(address, path));
}

/** Does nobody listen there? */
export async function refuses(address: string): Promise<boolean> {
  return get(address, "/livez").then(
    () => false,
    ({ code }) => code === "ECONNREFUSED",
  );
}
