/**
 * Runs in a page before its scripts, and notes when what was painted. `paintOf(selectors)` gives the milliseconds until all
 * of them stood on the screen, or undefined while they do not: from the beginning of the navigation, or from the last press
 * of the mouse. `keyPaints` holds the milliseconds from each key to the paint after it.
 *
 * @param watched all selectors that will be asked for
 */
export function watchPaints(watched: readonly string[]): void {
  const paints: { readonly at: number; readonly selectors: readonly string[] }[] = [];
  const keyPaints: number[] = [];
  let began = 0;
  let isAwaited = false;
  new MutationObserver(() => {
    if (isAwaited) return;
    isAwaited = true;
    requestAnimationFrame(() => {
      isAwaited = false;
      const selectors = watched.filter((selector) => document.querySelector(selector));
      setTimeout(() => paints.push({ at: performance.now(), selectors })); // the frame is painted by then
    });
  }).observe(document, { subtree: true, childList: true, characterData: true });
  addEventListener(
    "pointerdown",
    ({ timeStamp }) => {
      began = timeStamp;
      paints.length = 0;
    },
    { capture: true },
  );
  addEventListener(
    "keydown",
    ({ timeStamp }) => requestAnimationFrame(() => setTimeout(() => keyPaints.push(performance.now() - timeStamp))),
    { capture: true },
  );
  Object.assign(globalThis, {
    keyPaints,
    paintOf(wanted: readonly string[]) {
      const found = paints.find(({ selectors }) => wanted.every((selector) => selectors.includes(selector)));
      return found && found.at - began;
    },
  });
}
