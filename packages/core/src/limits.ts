/** Largest number of entries that the service takes in a list: `scores`, `details`. */
export const maxEntries = 1_000;

/** Largest body that the service takes, unpacked, in bytes. */
export const maxBodyBytes = 1_048_576;

/** Most characters of the names of the run and of the repository that a result comes from. */
export const maxOrigin = { pipeline_id: 200, project_repo: 2_048 } as const;

/**
 * Largest number of values in a body: keys and items, at every depth. A mebibyte can hold 150,000; 50,000 different
 * keys already take some 30 ms to parse (Node 24 on the machine of `bench/README.md`).
 */
export const maxBodyValues = 50_000;
