import { type Fields, isObject, textOf } from "../shape.ts";
import { isSuppressed } from "./sarif-result.ts";
import { isTrivy, isVulnerability } from "./sarif-trivy.ts";

const withoutList =
  "does not show that anything was looked for: results is null, which SARIF has where no results are known";
const nameless = "does not show what was looked for: it does not name its tool";
const ofTrivy =
  "does not show that vulnerabilities were looked for: Trivy's SARIF has only what was found. Its JSON shows it";
const ofNothing = "does not show that anything was looked for: artifactsScanned is 0";
const ofAnchore =
  "does not show which results count: this version of Grype suppresses every result of its SARIF. Its JSON shows it";

/**
 * What is missing in a run without results that count, if it does not show that its tool looked. Undefined if it does.
 *
 * @param rules all rules of its tool
 */
export function silenceOf(run: Fields, driver: Fields, rules: readonly Fields[]): string | undefined {
  const name = textOf(driver.name);
  if (run.results === null) return withoutList;
  if (name === undefined) return nameless;
  if (isTrivy(name) && !rules.some(isVulnerability)) return ofTrivy;
  // Snyk counts there what it has read (snyk/cli, src/lib/formatters).
  if (isObject(driver.properties) && driver.properties.artifactsScanned === 0) return ofNothing;
  return name.startsWith("Anchore Container Vulnerability Report") && isAllSuppressed(run) ? ofAnchore : undefined;
}

/** Grype wrote such a suppression to every result, without anybody's decision (grype/presenter/sarif/presenter.go). */
function isAllSuppressed({ results }: Fields): boolean {
  return (
    Array.isArray(results) && results.length > 0 && results.every((result) => isObject(result) && isSuppressed(result))
  );
}
