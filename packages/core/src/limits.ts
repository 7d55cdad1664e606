/** Largest number of entries that the service takes in a list: `scores`, `details`. */
export const maxEntries = 1_000;

/** Largest body that the service takes, unpacked, in bytes. */
export const maxBodyBytes = 1_048_576;
