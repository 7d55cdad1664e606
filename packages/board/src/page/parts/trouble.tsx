import type { Failure } from "../data/ask.ts";
import { signInAddress } from "../data/session.ts";
import { sentence } from "../format.ts";

/** Why a write failed. What was written stays while the reader signs in again. */
export function Trouble({ failure }: { readonly failure: Failure | undefined }) {
  return (
    <p class="down" role="alert">
      {failure?.status === 401 ? (
        <>
          You were signed out.{" "}
          <a href={signInAddress()} target="_blank" rel="noreferrer">
            Sign in in another tab
          </a>
          , then try again here.
        </>
      ) : (
        failure && sentence(failure.message)
      )}
    </p>
  );
}
