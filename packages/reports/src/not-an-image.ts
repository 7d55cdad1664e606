/** The note for the report of an image scanner that has scanned something else. */
export function notAnImage(scanned: string): string {
  return `scanned was a ${scanned}, not an image`;
}
