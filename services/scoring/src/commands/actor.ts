import { userInfo } from "node:os";

/** The actor of this command in the audit: `maturity-service` with the user of the operating system. */
export function actorOf(): string {
  return `maturity-service (${systemUser()})`;
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`; // the user of a container may have no name
  }
}
