/** Sends a body on a connection of its own. */
export function post(address: string, path: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json", connection: "close" };
  return fetch(new URL(path, address), { method: "POST", headers, body: JSON.stringify(body) });
}

/** Reads a page on a connection of its own. */
export async function get(address: string, path: string): Promise<string> {
  const response = await fetch(new URL(path, address), { headers: { connection: "close" } });
  return response.text();
}

/** Does nobody listen there? */
export async function refuses(address: string): Promise<boolean> {
  return get(address, "/livez").then(
    () => false,
    ({ cause }) => cause.code === "ECONNREFUSED",
  );
}
