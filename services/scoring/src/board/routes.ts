import type { ServerRoute } from "@hapi/hapi";
import { pageRoutes } from "./page.ts";
import { type SessionDependencies, sessionRoutes } from "./session.ts";
import { type SignInDependencies, signInRoutes } from "./sign-in.ts";

/** The dependencies of the routes. */
interface BoardDependencies extends SessionDependencies, Omit<SignInDependencies, "signIn" | "sessions"> {
  readonly signIn: SignInDependencies["signIn"] | undefined;
}

/** The Board: a page over the API, and the session by which it reads and writes. */
export function boardRoutes(directory: URL, deps: BoardDependencies): ServerRoute[] {
  const { signIn, sessions } = deps;
  return [
    ...pageRoutes(directory),
    ...sessionRoutes(deps),
    ...(signIn && sessions ? signInRoutes({ ...deps, signIn, sessions }) : []),
  ];
}
