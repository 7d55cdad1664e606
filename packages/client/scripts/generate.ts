import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";

/** Where the generated types and names stand. */
const target = new URL("../src/openapi.generated.ts", import.meta.url);

/** Reads the service's OpenAPI document from standard input, and writes its types and its metrics; with `--check` it only compares. */
const document = JSON.parse(await text(process.stdin));
const metrics = Object.keys(document.components.schemas).flatMap((schema) => {
  const [, scorecard, metric] = /^raw\.(.+)\.(.+)$/.exec(schema) ?? [];
  return metric ? [`    ${metric}: "${scorecard}",\n`] : [];
});
const types = `${COMMENT_HEADER}${astToString(await openapiTS(document, { defaultNonNullable: false }))}
/** The metrics that ship, each with its scorecard. */
export const shippedMetrics = {
${metrics.join("")}} as const;
`;

if (!process.argv.includes("--check")) {
  await writeFile(target, types);
} else if ((await readFile(target, "utf8")) !== types) {
  console.error("The client's types are not those of the service: run pnpm --filter @maturity/client generate");
  process.exitCode = 1;
}
