import { useEffect, useState } from "preact/hooks";

/** As `narrow.css` has it. */
const narrow = "screen and (max-width: 40rem)";

/** Is the page so narrow that lists show only some columns at a time? It follows the window. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  useEffect(() => {
    const query = matchMedia(narrow);
    const follow = () => setNarrow(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isNarrow;
}
