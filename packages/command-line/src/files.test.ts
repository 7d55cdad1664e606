import { join } from "node:path";
import { expect, test } from "vitest";
import { useTree } from "../../../test-support/trees.ts";
import { readBytes } from "./files.ts";

test.each([
  [2_097_128, "1 MiB"],
  [65_536, "64 KiB"],
])("a file beyond %d bytes is refused as larger than %s", async (maxBytes, limit) => {
  const path = join(await useTree({ large: Buffer.alloc(maxBytes + 1) }), "large");
  await expect(readBytes(path, "large", maxBytes)).rejects.toThrow(`large is larger than ${limit}`);
  await expect(readBytes(path, "large", maxBytes + 1)).resolves.toHaveLength(maxBytes + 1);
});
