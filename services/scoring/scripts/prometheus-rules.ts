import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/**
 * Writes the shipped rules as objects of the Prometheus operator, which takes no files of rules. The text stays as it is, one
 * level deeper, so its comments come along. With `--check` it writes nothing, and fails where another text stands.
 */
const deploy = new URL("../deploy/", import.meta.url);
const target = new URL("kubernetes/overlays/production/prometheus-rules.yaml", deploy);

async function asObject(name: string, file: string): Promise<string> {
  const rules = await readFile(new URL(`prometheus/${file}`, deploy), "utf8");
  const spec = rules.replaceAll(/^(?=.)/gm, "  ");
  return `apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata:\n  name: ${name}\nspec:\n${spec}`;
}

const objects = await Promise.all([
  asObject("maturity-rules", "maturity.rules.yml"),
  asObject("maturity-alerts", "maturity.alerts.yml"),
]);
const text = `# Made by services/scoring/scripts/prometheus-rules.ts from ../../../prometheus: change the rules there.\n${objects.join("---\n")}`;
if (!process.argv.includes("--check")) await writeFile(target, text);
else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
  console.error(`${fileURLToPath(target)} is not what the rules make: run pnpm kubernetes-rules`);
  process.exitCode = 1;
}
