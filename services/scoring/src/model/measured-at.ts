/** How a time of measurement is out of range: more than 5 minutes ahead, or longer ago than is accepted. */
export type OutOfRange = "ahead" | "old";

/** What is wrong with a time of measurement that is out of range. */
export const rangeFaults: Readonly<Record<OutOfRange, string>> = {
  ahead: "must be at most 5 minutes ahead of now, by the database's clock",
  old: "must be within the days of the history, by the database's clock",
};
