/** Did `fetch` fail as nobody listens, so that nothing was sent? */
export function isConnectionRefused(error: unknown): boolean {
  return error instanceof TypeError && (error.cause as { code?: unknown } | undefined)?.code === "ECONNREFUSED";
}
