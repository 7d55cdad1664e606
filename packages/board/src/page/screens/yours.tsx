import type { Lists } from "@maturity/client";
import { useReading } from "../data/reading.ts";
import { listOf, ownBounds, placeOf } from "../data/rights.ts";
import { type Bounds, type GrantPart, session } from "../data/session.ts";
import { moment } from "../format.ts";
import { BoundsText } from "../parts/bounds.tsx";
import { FoundName } from "../parts/found-name.tsx";
import { Heading } from "../parts/heading.tsx";
import { Heat } from "../parts/score.tsx";
import { hrefOf } from "../place.ts";

/** What is the reader's own, and why the reader sees what the Board shows. */
export function YoursScreen({ env }: { readonly env: string | undefined }) {
  const reader = session.value;
  const own = ownBounds(reader);
  return (
    <>
      <Heading>Yours</Heading>
      {own.length > 0 ? (
        <ul class="yours">
          {own.map((bounds) => (
            <Own key={hrefOf(placeOf(bounds))} bounds={bounds} env={env} />
          ))}
        </ul>
      ) : (
        <p>Nothing here is bound to you: you begin at the organisation.</p>
      )}
      <p>
        <a href={hrefOf({ env })}>The organisation</a>
      </p>
      <section class="card" aria-labelledby="why">
        <h2 id="why">Why can't I see this?</h2>
        {reader ? (
          <>
            <p>
              You are signed in as <b dir="auto">{reader.name}</b> until {moment(Date.parse(reader.expires_at))}, by{" "}
              {reader.kind === "token" ? "a token, which can only read here" : "these rules of the service"}. You can
              see and do what they name, and nothing else. Those who run the service change them; what changes counts
              from your next sign-in.
            </p>
            <Grants of={reader.grants} />
          </>
        ) : (
          <p>This service asks nobody who reads, and shows everything.</p>
        )}
      </section>
    </>
  );
}

/** An area, a team or an application with its score. */
function Own({ bounds, env }: { readonly bounds: Bounds; readonly env: string | undefined }) {
  const reading = useReading<"/areas" | "/teams" | "/apps">(
    listOf(bounds),
    env === undefined ? undefined : { env, ...bounds, limit: 1 },
  );
  const answer = reading?.answer.value;
  const found = answer?.total === 1 ? (answer.items[0] as Bounds & Pick<Lists["/apps"], "score" | "thin">) : undefined;
  const own: Bounds = found ?? bounds;
  return (
    <li>
      <Heat score={found?.score ?? undefined} isThin={found?.thin} />
      <a href={hrefOf({ ...placeOf(own), env })}>
        <FoundName of={own} />
      </a>
    </li>
  );
}

function Grants({ of }: { readonly of: readonly GrantPart[] }) {
  return (
    <table class="grants">
      <caption class="sr">Your scopes, with their bounds and rules</caption>
      <thead>
        <tr>
          <th scope="col">By</th>
          <th scope="col">Scopes</th>
          <th scope="col">Within</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ rule, scopes, bounds }, index) => (
          <tr key={index}>
            <td>
              <code>{(rule ?? "token").split(/(?<=\.)/).map((part) => [part, <wbr key={part} />])}</code>
            </td>
            <td>
              {scopes.map((scope) => (
                <span key={scope}>{scope}</span>
              ))}
            </td>
            <td>{Object.keys(bounds).length > 0 ? <BoundsText of={[bounds]} /> : "the whole organisation"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
