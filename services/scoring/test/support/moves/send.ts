import { isConnectionRefused } from "../connection-refused.ts";

/** What became of a request: its answer, or that nobody took it, or that no answer came, so that it may have been done. */
export type Sent =
  | { readonly outcome: "answered"; readonly status: number; readonly body: Readonly<Record<string, unknown>> }
  | { readonly outcome: "unsent" | "lost" };

/** Posts a body as JSON. */
export async function send(address: string, path: string, body: object): Promise<Sent> {
  try {
    const response = await fetch(`${address}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { outcome: "answered", status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch (error) {
    return { outcome: isConnectionRefused(error) ? "unsent" : "lost" };
  }
}

/** A choice by a seed: the same choices again for the same seed. */
export type Pick = <T>(items: readonly T[]) => T;

export function createPick(seed: number): Pick {
  let state = seed;
  return (items) => {
    state = (state * 48_271) % 2_147_483_647;
    return items[state % items.length] as (typeof items)[number];
  };
}
