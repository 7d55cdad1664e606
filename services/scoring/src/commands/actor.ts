import { userInfo } from "node:os";

/** The actor of this command in the audit: `maturity-service` with the user of the operating system. */
export function actorOf(): string {
  try {
    return `maturity-service (${userInfo().username})`;
  } catch {
    return `maturity-service (uid ${process.getuid?.()})`; // the user of a container may have no name
  }
}
