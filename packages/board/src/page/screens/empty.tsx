import { addressOf } from "../data/ask.ts";
import { session } from "../data/session.ts";
import { CopyButton } from "../parts/copy.tsx";

/** Before the first report: how to send one. */
export function EmptyScreen() {
  const bounds = Object.entries(session.value?.bounds ?? {});
  return (
    <section class="notice">
      <h1 tabIndex={-1}>Nothing reported yet</h1>
      {bounds.length > 0 ? (
        <p>
          Your token sees only{" "}
          {bounds.map(([name, value]) => (
            <span key={name}>
              {name} <b dir="auto">{value}</b>{" "}
            </span>
          ))}
          and nothing of it has reported.
        </p>
      ) : (
        <p>Send a first result, and this page shows it within seconds:</p>
      )}
      <Command text={firstReport()} />
      <p>Or look around in a made-up organisation, in a service of its own, from a clone of the repository:</p>
      <Command text="PORT=8081 pnpm demo" />
    </section>
  );
}

function firstReport(): string {
  const authorization = session.value ? ` \\\n  -H "authorization: Bearer $MATURITY_TOKEN"` : "";
  return `curl ${addressOf("/score")} \\
  -H 'content-type: application/json'${authorization} -d '{
  "area": "shop", "team": "checkout", "app": "cart", "env": "prod",
  "scorecard": "security", "metric": "image_scan",
  "raw": { "critical": 0, "high": 3, "medium": 12 }
}'`;
}

function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <pre>{text}</pre>
      <CopyButton text={() => text} label="Copy" otherwise="Select it, and copy" />
    </div>
  );
}
