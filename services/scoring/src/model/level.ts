/** What an application without a level has in place of one, so no level can have this name. */
export const noLevel = "none";
