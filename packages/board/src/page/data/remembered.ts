/** Was a choice made in this browser before? Not where the browser stores nothing. */
export function isRemembered(choice: string): boolean {
  try {
    return localStorage.getItem(choice) !== null;
  } catch {
    return false;
  }
}

/** Remembers a choice in this browser, or forgets it. Where the browser stores nothing, it holds until the page is closed. */
export function remember(choice: string, isMade: boolean): void {
  try {
    if (isMade) localStorage.setItem(choice, "1");
    else localStorage.removeItem(choice);
  } catch {}
}
