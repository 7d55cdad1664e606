const [quote, backslash, comma, openList, openObject] = [...'"\\,[{'].map((mark) => mark.charCodeAt(0));

/**
 * Counts the values in a JSON text, keys and items at every depth: what begins one is a comma or an opening bracket,
 * outside of texts. Counting ends above the limit.
 */
export function valuesIn(json: string, limit: number = Number.POSITIVE_INFINITY): number {
  let values = 0;
  let isText = false;
  for (let at = 0; at < json.length && values <= limit; at++) {
    const mark = json.charCodeAt(at);
    if (mark === quote) isText = !isText;
    else if (isText) at += mark === backslash ? 1 : 0;
    else if (mark === comma || mark === openList || mark === openObject) values++;
  }
  return values;
}
