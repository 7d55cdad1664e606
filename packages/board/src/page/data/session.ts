import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { hrefOf, place } from "../place.ts";
import { addressOf, ask, send, sendAs } from "./ask.ts";
import { paceOfRetries, refreshAll } from "./refresh.ts";

/** The area, team or application that a grant is limited to. An absent field sets no limit. */
export interface Bounds {
  readonly area?: string;
  readonly team?: string;
  readonly app?: string;
}

/** Scopes within bounds. */
export interface GrantPart {
  readonly scopes: readonly string[];
  readonly bounds: Bounds;
  /** The rule that grants it, such as `sign_in.rules[1]`. A token has none. */
  readonly rule?: string;
}

/** The reader, by the cookie of the browser. */
export interface Session {
  readonly name: string;
  readonly grants: readonly GrantPart[];
  /** In ISO 8601. */
  readonly expires_at: string;
  /** A session of a pasted token only reads. */
  readonly kind: "token" | "sign_in";
}

interface Answer {
  /** Does the service ask for an identity at all? */
  readonly required: boolean;
  /** Does a provider say who it is? Otherwise a token does. */
  readonly sign_in: boolean;
  readonly session: Session | null;
}

const current = signal<Answer>();

/** Null where no identity is needed, and before sign-in. A session that has ended stays until there is another one. */
export const session: ReadonlySignal<Session | null> = computed(() => current.value?.session ?? null);

/** How to sign in: undefined until the service has said it. */
export const wayIn: ReadonlySignal<"provider" | "token" | undefined> = computed(
  () => current.value && (current.value.sign_in ? "provider" : "token"),
);

const address = addressOf("/board/session");

/** Asks for the reader, until the service has an answer. */
export async function findSession(): Promise<void> {
  try {
    const answer = (await ask<unknown>(address))?.body;
    if (!isAnswer(answer)) throw new Error("the answer is not the service's");
    // What is on the screen stays the reader's after the session has ended.
    if (answer.session || !session.peek()) show(answer);
  } catch {
    setTimeout(findSession, paceOfRetries);
  }
}

function show(answer: Answer): void {
  current.value = answer;
  sendAs(answer.session?.name);
}

function isAnswer(body: unknown): body is Answer {
  const { required, session } = (body ?? {}) as Partial<Answer>;
  return typeof required === "boolean" && (session === null || Array.isArray(session?.grants));
}

/** Loads the page again when another window of the browser has signed in: what is on the screen is another reader's. */
export function followSession(): void {
  addEventListener("focus", async () => {
    if (!current.peek()?.required) return;
    const former = session.peek()?.name;
    await findSession();
    const name = session.peek()?.name;
    if (name !== undefined && name !== former) location.reload();
  });
}

/**
 * Exchanges a token for a session, and reads again what is on the screen.
 *
 * @throws Failed
 */
export async function openSession(token: string): Promise<void> {
  const answer = await send<unknown>("POST", address, { token });
  if (isAnswer(answer)) show(answer);
  await refreshAll();
}

/** Ends the session, and that of the provider where it has an address for it. */
export async function closeSession(): Promise<void> {
  if (session.peek()?.kind === "sign_in") {
    const answer = await send<{ readonly location: string | null }>("POST", addressOf("/sign-out"));
    if (answer?.location) return location.assign(answer.location);
  } else {
    await send("DELETE", address);
  }
  location.reload();
}

/** Where signing in begins, to come back to this view. */
export function signInAddress(): string {
  return addressOf("/sign-in", { to: `board/${hrefOf(place.value)}` });
}
