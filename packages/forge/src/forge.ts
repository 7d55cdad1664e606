/** What a program has from outside. */
export interface Program {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file; undefined if it cannot be read. */
  readonly read: (path: string) => string | undefined;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Name and version of the program, for the header `User-Agent`. */
  readonly userAgent: string;
}

/** An answer of a forge, and the number of the next page of a list. */
export interface Answer {
  readonly data: unknown;
  readonly next: string | undefined;
}

/**
 * Sends one request.
 *
 * @param path below the address of the API, or a whole address of the same server
 * @throws ForgeError
 */
export type Api = (method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE", path: string, body?: object) => Promise<Answer>;

/** Where the comments of a pull request are, as paths below the address of the API. */
export interface Place {
  /** `pull request 12`, for messages. */
  readonly name: string;
  /** All comments. */
  readonly comments: string;
  /** The path in front of the id of a single one. */
  readonly comment: string;
}

/** The check that a commit shows beside its other ones. */
export interface Status {
  readonly name: string;
  readonly isMet: boolean;
  readonly text: string;
  readonly link: string | undefined;
}

/** The server that holds the repository of a run, and what its API calls things. */
export interface Forge {
  readonly name: string;
  /** Address of its API, without a slash at the end. */
  readonly api: string;
  readonly token: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What to do where there is no token, or one that the server does not know. */
  readonly wantsToken: string;
  /** What a token needs for this, and where that is said. */
  wants(what: "comment" | "status"): string;
  /** Where to comment; or why there is nothing to comment on. */
  readonly place: Place | string;
  /** The method that edits a comment. */
  readonly edit: "PATCH" | "PUT";
  /** Asks for the name by which `authorOf` knows the owner of the token. */
  self(api: Api): Promise<unknown>;
  authorOf(comment: object): unknown;
  /** What sets a status. */
  status(status: Status): { readonly path: string; readonly body: object };
}

/** Creates the forge of a run by the variables of its CI. A text says what is missing. */
export type CreateForge = (env: Program["env"], read: Program["read"]) => Forge | string;
