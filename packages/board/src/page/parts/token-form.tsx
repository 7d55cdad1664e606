import { useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import { Failed } from "../data/ask.ts";
import { openSession } from "../data/session.ts";
import { sentence } from "../format.ts";

/** The field for a token, where no provider says who reads. */
export function TokenForm() {
  const fault = useSignal("");
  const isBusy = useSignal(false);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = new FormData(event.currentTarget).get("token");
    isBusy.value = true;
    try {
      await openSession(String(token).trim());
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      fault.value = error.message;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form class="notice" onSubmit={submit}>
      <h1>
        <label for="token">Your token</label>
      </h1>
      <p>
        This service asks who reads. Paste a token with the scope <code>read</code>; it is exchanged for a session of
        this browser, which can only read.
      </p>
      <p class="row">
        <input
          id="token"
          name="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby="token-fault"
          aria-invalid={fault.value !== ""}
        />
        <button type="submit" disabled={isBusy.value}>
          Sign in
        </button>
      </p>
      <p id="token-fault" class="down" role="alert">
        {fault.value && sentence(fault.value)}
      </p>
    </form>
  );
}
