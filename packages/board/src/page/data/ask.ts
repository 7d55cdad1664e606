/** An answer of the service that is no list, or none at all. */
export interface Failure {
  /** Of HTTP; undefined when nothing came back. */
  readonly status: number | undefined;
  readonly message: string;
  /** Of the service, such as `waiver-decided`. */
  readonly code?: string;
  /** The faults of what was sent, by its fields. */
  readonly details?: readonly { readonly path: string; readonly message: string }[];
}

/** A page of a list, as the service sends it. */
export interface Page<Item> {
  readonly as_of: string;
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly total: number;
}

export type Parameters = Readonly<Record<string, string | readonly string[] | number | boolean | undefined>>;

/** A path of the API, which lies beside the page's own folder, with its query. */
export function addressOf(path: string, query: Parameters = {}): string {
  const address = new URL(`..${path}`, document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) address.searchParams.append(name, String(one));
  }
  return address.href;
}

/** Time limit of an answer in milliseconds; then the request is repeated. */
const patience = 20_000;

let person: string | undefined;

/**
 * Names the reader in all that is sent from now on. The service refuses it if another window of the browser has signed in
 * somebody else.
 */
export function sendAs(name: string | undefined): void {
  person = name;
}

/** The header that names the reader, and the path of a fault in it. */
export const shownPerson = "x-maturity-person";

/**
 * Asks for JSON.
 *
 * @param etag of the answer that the caller still has
 * @returns undefined when that answer holds
 * @throws Failed
 */
export async function ask<Answer>(
  address: string,
  init: RequestInit & { readonly etag?: string | undefined } = {},
): Promise<{ readonly body: Answer; readonly etag: string | undefined } | undefined> {
  const { etag, signal, ...rest } = init;
  const shown = person !== undefined && { [shownPerson]: encodeURIComponent(person.toWellFormed()) };
  const headers = { accept: "application/json", ...shown, ...(etag && { "if-none-match": etag }), ...rest.headers };
  const signals = [AbortSignal.timeout(patience), ...(signal ? [signal] : [])];
  try {
    // The page keeps what it needs itself, and a cache between would answer 304 in its own name.
    const response = await fetch(address, { ...rest, headers, cache: "no-store", signal: AbortSignal.any(signals) });
    if (response.status === 304) return undefined;
    const text = await response.text();
    if (!response.ok) throw new Failed(failureIn(text, response));
    return { body: text && JSON.parse(text), etag: response.headers.get("etag") ?? undefined };
  } catch (error) {
    if (error instanceof Failed || signal?.aborted) throw error;
    throw new Failed({ status: undefined, message: "the service does not answer" });
  }
}

/**
 * Asks for a page of a list. Something between the page and the service may answer 200 with JSON of its own.
 *
 * @param etag of the page that the caller still has
 * @returns undefined when that page holds
 * @throws Failed
 */
export async function askPage<Item>(
  address: string,
  init?: RequestInit & { readonly etag?: string | undefined },
): Promise<{ readonly body: Page<Item>; readonly etag: string | undefined } | undefined> {
  const answer = await ask<unknown>(address, init);
  if (!answer) return undefined;
  const { body, etag } = answer;
  if (!isPage<Item>(body)) throw new Failed({ status: undefined, message: "the answer is not the service's" });
  return { body, etag };
}

function isPage<Item>(body: unknown): body is Page<Item> {
  const { as_of, items, next, total } = (body ?? {}) as Partial<Record<keyof Page<Item>, unknown>>;
  const isList = Array.isArray(items) && items.every((item) => typeof item === "object" && item !== null);
  return isList && typeof as_of === "string" && Number.isInteger(total) && (next === null || typeof next === "string");
}

/** What `ask` throws. */
export class Failed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The service says why. What stands between may send anything. */
function failureIn(text: string, { status, statusText }: Response): Failure {
  try {
    const { message, code, details } = JSON.parse(text);
    if (typeof message === "string") {
      return {
        ...{ status, message },
        ...(typeof code === "string" && { code }),
        ...(Array.isArray(details) && { details }),
      };
    }
  } catch {}
  return { status, message: `the answer was ${status} ${statusText}`.trim() };
}

/** The last write that has not succeeded. If it is sent again, its key shows the service that it is the same one. */
let unanswered: { readonly text: string; readonly key: string } | undefined;

/**
 * Sends a write. Its first header is one that no page of another origin can send. By its key a write counts once, though its
 * answer was lost and it is sent again.
 *
 * @throws Failed
 */
export async function send<Answer>(
  method: "POST" | "PATCH" | "DELETE",
  address: string,
  body?: object,
): Promise<Answer | undefined> {
  const text = JSON.stringify([address, body]);
  if (unanswered?.text !== text) unanswered = { text, key: crypto.getRandomValues(new Uint32Array(4)).join("-") };
  const answer = await ask<Answer>(address, writing(method, body, { "idempotency-key": unanswered.key }));
  unanswered = undefined;
  return answer?.body;
}

/**
 * Sends what would be written, and is not. A write whose answer was lost is still the same one after that.
 *
 * @throws Failed
 */
export async function tryOut<Answer>(address: string, body: object): Promise<Answer | undefined> {
  return (await ask<Answer>(address, writing("POST", body)))?.body;
}

function writing(method: string, body?: object, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const ofBody = body && { "content-type": "application/json" };
  return {
    ...{ method, headers: { "x-maturity-board": "1", ...ofBody, ...headers } },
    ...(body && { body: JSON.stringify(body) }),
  };
}
