/** The note of a scanner of images that scanned something else. */
export function notAnImage(scanned: string): string {
  return `scanned was a ${scanned}, not an image`;
}
