import { Findings, type RawFinding } from "../findings.ts";
import type { Facts } from "../format.ts";
import type { FindingKind } from "../kinds.ts";
import { measuredBy } from "../measurement.ts";

/** The kinds of findings of scanners of infrastructure code. If the caller names none, all findings are meant. */
export const infrastructureKinds: { readonly problems: readonly FindingKind[]; readonly problem: FindingKind } = {
  problems: ["findings", "misconfigurations", "secrets"],
  problem: "findings",
};

/** Collects the findings of a scanner of infrastructure code. Some of its checks look for secrets. */
export class InfrastructureFindings {
  readonly #all = new Findings();
  readonly #misconfigurations = new Findings();
  readonly #secrets = new Findings();

  add(finding: RawFinding, isSecret: boolean): void {
    this.#all.add(finding);
    (isSecret ? this.#secrets : this.#misconfigurations).add(finding);
  }

  /**
   * The measurements of all kinds.
   *
   * @param shown what in the report proves that the tool looked for each kind, if anything does
   * @param missing what the report would need for that
   */
  measurements(
    shown: { readonly [kind in "misconfigurations" | "secrets"]: string | undefined },
    missing: { readonly [kind in "misconfigurations" | "secrets"]: string },
  ): NonNullable<Facts["findings"]> {
    const measurement = (findings: Findings, what: "misconfigurations" | "secrets") => {
      const { list } = findings;
      const clause = `does not show that ${what} were looked for: ${missing[what]}`;
      return measuredBy(list, list.count, shown[what], clause);
    };
    return {
      findings: measurement(this.#all, "misconfigurations"),
      misconfigurations: measurement(this.#misconfigurations, "misconfigurations"),
      secrets: measurement(this.#secrets, "secrets"),
    };
  }
}
