import { type ReadonlySignal, signal } from "@preact/signals";
import { addressOf, ask } from "./ask.ts";
import { refreshAll } from "./refresh.ts";

/** The reader, by the cookie of the browser. */
export interface Session {
  readonly name: string;
  readonly grants: readonly { readonly bounds: Bounds }[];
}

interface Bounds {
  readonly area?: string;
  readonly team?: string;
  readonly app?: string;
}

interface Answer {
  /** Does the service ask for a token at all? */
  readonly required: boolean;
  readonly session: Session | null;
}

const current = signal<Session | null>(null);

/** Null where no token is needed, and before sign-in. */
export const session: ReadonlySignal<Session | null> = current;

/** The bounds of the reader's only grant; none for several. */
export function boundsOfSession(): Bounds {
  const grants = current.value?.grants ?? [];
  return grants.length === 1 ? (grants[0]?.bounds ?? {}) : {};
}

const address = addressOf("/board/session");

/** Asks for the reader. A service without an answer lets read, or refuses the lists. */
export async function findSession(): Promise<void> {
  current.value = (await ask<Answer | null>(address).catch(() => undefined))?.body?.session ?? null;
}

/**
 * Exchanges a token for a session, and reads again what is on the screen.
 *
 * @throws Failed
 */
export async function openSession(token: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await ask<Answer | null>(address, { method: "POST", headers, body: JSON.stringify({ token }) });
  current.value = answer?.body?.session ?? null;
  await refreshAll();
}

/** Ends the session: what is on the screen is refused from now on. */
export async function closeSession(): Promise<void> {
  await ask(address, { method: "DELETE" });
  location.reload();
}
