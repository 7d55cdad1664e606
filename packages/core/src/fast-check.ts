import type FastCheck from "fast-check";

/**
 * Loads fast-check.
 *
 * @throws Error that says how to install it, if it is not there
 */
export async function loadFastCheck(
  load: () => Promise<{ readonly default: typeof FastCheck }> = () => import("fast-check"),
): Promise<typeof FastCheck> {
  try {
    return (await load()).default;
  } catch (cause) {
    if (Object(cause).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new Error(
      "@maturity/core/testing makes the inputs of its checks with fast-check, which is not installed: npm install --save-dev fast-check",
      { cause },
    );
  }
}

/** The checks are made without waiting, so it is loaded with the module. */
export const fc: typeof FastCheck = await loadFastCheck();
