import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

/** What came to PostgreSQL between 14, on which the service runs too, and 18, on which the tests run. */
const later: readonly RegExp[] = [
  /\bhashbyteaextended\b/, // 18
  /\buuidv7\b|\bcasefold\b|\barray_sort\b|\barray_reverse\b|\bWITHOUT OVERLAPS\b/i, // 18
  /\bJSON_TABLE\b|\bJSON_QUERY\b|\bJSON_VALUE\b|\bJSON_EXISTS\b|\btransaction_timeout\b/i, // 17
  /\bany_value\b|\barray_shuffle\b|\barray_sample\b|\bdate_add\b|\bdate_subtract\b|\brandom_normal\b/i, // 16
  /\bMERGE INTO\b|\bregexp_count\b|\bregexp_like\b|\bregexp_substr\b|\bNULLS NOT DISTINCT\b|\bsecurity_invoker\b/i, // 15
];

test("no statement needs a later PostgreSQL than 14", async () => {
  const root = join(import.meta.dirname, "..");
  let files = 0;
  for await (const file of glob("**/*.ts", { cwd: root })) {
    if (file.endsWith(".test.ts")) continue;
    files++;
    const text = readFileSync(join(root, file), "utf8");
    for (const pattern of later) expect(pattern.exec(text)?.[0], file).toBeUndefined();
  }
  expect(files).toBeGreaterThan(100);
});
