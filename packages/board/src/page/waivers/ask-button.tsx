import { mayAsk } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { type AskedFor, askFor } from "./asked-for.ts";

/** Asks for a waiver, where the reader may. */
export function AskButton({ of, about }: { readonly of: AskedFor; readonly about?: string }) {
  if (!mayAsk(session.value, of)) return null;
  return (
    <button type="button" class="plain ask" onClick={() => askFor(of)}>
      {of.extends ? "Ask to extend it" : "Ask for a waiver"}
      {about && <span class="sr"> of {about}</span>}
    </button>
  );
}
