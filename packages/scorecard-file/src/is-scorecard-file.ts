/** Whether an entry of a list of scorecards is the path of a file, and no package. */
export function isScorecardFile(entry: string): boolean {
  return /\.ya?ml$/i.test(entry);
}
