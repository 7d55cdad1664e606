import { useEffect, useRef } from "preact/hooks";
import { session, signInAddress, wayIn } from "../data/session.ts";
import { TokenForm } from "./token-form.tsx";

/** How to sign in. The view that was asked for comes back after it. */
export function SignIn() {
  const wasSignedIn = session.value !== null;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (wasSignedIn) heading.current?.focus();
  }, [wasSignedIn]);
  if (wayIn.value !== "provider") return wayIn.value && <TokenForm />;
  return (
    <section class="notice">
      <h1 ref={heading} tabIndex={-1}>
        {wasSignedIn ? "You were signed out" : "Sign in to read"}
      </h1>
      <p>
        {wasSignedIn
          ? "Your session has ended or was revoked. Sign in again, and this view comes back."
          : "This service shows scores to people it knows. Your organisation's sign-in page leads back to this view."}
      </p>
      <p>
        <a class="button" href={signInAddress()}>
          Sign in
        </a>
      </p>
    </section>
  );
}
