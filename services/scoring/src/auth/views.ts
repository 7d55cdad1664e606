/** Longest address of a view that is kept while a person signs in, in characters of JSON: a cookie has at most 4,096. */
const maxLength = 2_000;

const root = "http://service/";

/**
 * The view of the Board at an address relative to the service, such as `board/areas/x?y=z`; undefined if it is none, so that
 * no link leads a person elsewhere. A view that is too long loses its query.
 */
export function viewAt(address: string): string | undefined {
  const url = URL.parse(address, root);
  // The address as browsers read it: without dot segments, and with `\` as `/`.
  if (!address.startsWith("board/") || !url?.href.startsWith(`${root}board/`)) return undefined;
  const view = url.href.slice(root.length);
  return [view, url.pathname.slice(1)].find((one) => JSON.stringify(one).length <= maxLength) ?? "board/";
}
