import { Findings, type RawFinding } from "../findings.ts";
import type { Facts } from "../format.ts";
import type { FindingKind } from "../kinds.ts";
import { measuredBy } from "../measurement.ts";

/** The kinds of a scanner of infrastructure code; without a word of the caller, all it found. */
export const infrastructureKinds: { readonly problems: readonly FindingKind[]; readonly problem: FindingKind } = {
  problems: ["findings", "misconfigurations", "secrets"],
  problem: "findings",
};

/** The findings of a scanner of infrastructure code, whose secrets are some of its checks. */
export class InfrastructureFindings {
  readonly #all = new Findings();
  readonly #misconfigurations = new Findings();
  readonly #secrets = new Findings();

  add(finding: RawFinding, isSecret: boolean): void {
    this.#all.add(finding);
    (isSecret ? this.#secrets : this.#misconfigurations).add(finding);
  }

  /**
   * @param shown what shows that each was looked for, if anything does
   * @param missing what is missing otherwise
   */
  measurements(
    shown: { readonly [kind in "misconfigurations" | "secrets"]: string | undefined },
    missing: { readonly [kind in "misconfigurations" | "secrets"]: string },
  ): NonNullable<Facts["findings"]> {
    const measurement = (findings: Findings, what: "misconfigurations" | "secrets") => {
      const { problem } = findings;
      const clause = `does not show that ${what} were looked for: ${missing[what]}`;
      return measuredBy(problem, problem.count, shown[what], clause);
    };
    return {
      findings: measurement(this.#all, "misconfigurations"),
      misconfigurations: measurement(this.#misconfigurations, "misconfigurations"),
      secrets: measurement(this.#secrets, "secrets"),
    };
  }
}
