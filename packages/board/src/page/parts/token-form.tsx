import type { TargetedSubmitEvent } from "preact";
import { useAttempt } from "../data/attempt.ts";
import { openSession } from "../data/session.ts";
import { sentence } from "../format.ts";

/** The field for a token, where no provider says who reads. */
export function TokenForm() {
  const { attempt, failure, isBusy } = useAttempt();
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const token = new FormData(event.currentTarget).get("token");
    await attempt(() => openSession(String(token).trim()));
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
          aria-invalid={failure.value !== undefined}
        />
        <button type="submit" disabled={isBusy.value}>
          Sign in
        </button>
      </p>
      <p id="token-fault" class="down" role="alert">
        {failure.value && sentence(failure.value.message)}
      </p>
    </form>
  );
}
