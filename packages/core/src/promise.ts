/** Recognized by its shape, since it may come from elsewhere; its rejection is handled, so that it cannot end the process. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  if (typeof (value as Promise<T> | undefined)?.then !== "function") return false;
  Promise.resolve(value).catch(() => {});
  return true;
}
