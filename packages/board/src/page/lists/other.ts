/** The names of a team or an application. */
interface Names {
  readonly area: string;
  readonly team: string | null;
  readonly app: string | null;
}

/** The names as one text for the address: `shop/checkout/cart`, with each name encoded. */
export function otherOf({ area, team, app }: Names): string {
  return [area, team, app].flatMap((name) => (name === null ? [] : [encodeURIComponent(name)])).join("/");
}

/** The opposite of `otherOf`. What is not encoded as it does so is taken as it stands. */
export function namesIn(other: string): { readonly area?: string; readonly team?: string; readonly app?: string } {
  const [area, team, app] = other.split("/").map(decoded);
  return { ...(area && { area }), ...(team && { team }), ...(app && { app }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
