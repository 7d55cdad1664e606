import { userInfo } from "node:os";

/** Who runs this command, for the audit: `maturity-service`, and the user of the operating system. */
export function actorOf(): string {
  return `maturity-service (${systemUser()})`;
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`; // a container may run as a user without a name
  }
}
