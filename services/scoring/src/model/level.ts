/** Stands for "no level" in the API, so no level can have this name. */
export const noLevel = "none";
