import { unreadable } from "../errors.ts";
import { type Fields, isObject } from "../shape.ts";

/**
 * Refuses a report of which results stand in other files, or outside of the runs (SARIF 2.1.0, 3.13.6, 3.14.2 and
 * 3.15.3).
 */
export function refuseElsewhere(properties: unknown, path: string): void {
  for (const each of Array.isArray(properties) ? properties : [properties]) {
    if (!isObject(each) || each.results === undefined || each.results === null) continue;
    if (Array.isArray(each.results) && each.results.length === 0) continue;
    throw unreadable(`${path} says that its results stand elsewhere: give a report with all results in its runs`);
  }
}

/**
 * Whether the results of a run may be incomplete, because it has a notification of level error (SARIF 2.1.0, 3.20.8,
 * 3.20.14, 3.20.21, 3.20.22 and 3.58.6). For Semgrep this is the only sign that it could not run a rule or read a
 * target, and for Bandit that it could not read a file.
 */
export function hasFailed({ invocations }: Fields): boolean {
  if (!Array.isArray(invocations)) return false;
  return invocations.some((invocation) => {
    if (!isObject(invocation)) return false;
    const { executionSuccessful, exitCode, toolExecutionNotifications, toolConfigurationNotifications } = invocation;
    if (executionSuccessful === false || (typeof exitCode === "number" && exitCode !== 0)) return true;
    return [toolExecutionNotifications, toolConfigurationNotifications]
      .flat()
      .some((notification) => isObject(notification) && notification.level === "error");
  });
}
