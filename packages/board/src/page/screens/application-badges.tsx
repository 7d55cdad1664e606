import type { Badge, Target } from "@maturity/client";
import { useSignal } from "@preact/signals";
import { addressOf, Failed, send } from "../data/ask.ts";
import { useReading } from "../data/reading.ts";
import { mayMakeBadges } from "../data/rights.ts";
import { session } from "../data/session.ts";
import { Command } from "../parts/command.tsx";
import { Read } from "../parts/states.tsx";

/** The badges of an application in Markdown, for its README. They are asked for once the reader wants to see them. */
export function Badges({ target }: { readonly target: Target }) {
  const isOpen = useSignal(false);
  return (
    <details
      class="badges"
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary>Badge for a README</summary>
      {isOpen.value && <Opened target={target} />}
    </details>
  );
}

function Opened({ target }: { readonly target: Target }) {
  const made = useSignal<readonly Badge[]>([]);
  const failure = useSignal<string | undefined>(undefined);
  const reading = useReading("/badges", { ...target });
  const make = async (shows: "score" | "level") => {
    try {
      const badge = await send<Badge>("POST", addressOf("/badges"), { ...target, shows });
      if (badge) made.value = [...made.value, badge];
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      failure.value = error.failure.message;
    }
  };
  return (
    <Read reading={reading}>
      {({ items }) => {
        const all = new Map([...items, ...made.value].map((badge) => [badge.id, badge]));
        const left = (["score", "level"] as const).filter(
          (shows) => ![...all.values()].some((one) => one.shows === shows),
        );
        return (
          <>
            {[...all.values()].map((badge) => (
              <Shown key={badge.id} badge={badge} />
            ))}
            {mayMakeBadges(session.value, target) ? (
              left.map((shows) => (
                <button key={shows} type="button" class="button" onClick={() => make(shows)}>
                  Make one of the {shows}
                </button>
              ))
            ) : (
              <p class="soft">
                {all.size === 0 && "There is none. "}A token with the scope badge:write makes one: maturity badge create
              </p>
            )}
            {left.length > 0 && <p class="soft">Everybody can read what it shows who has its address.</p>}
            {failure.value && <p role="alert">{failure.value}</p>}
          </>
        );
      }}
    </Read>
  );
}

function Shown({ badge: { svg, shows, metric } }: { readonly badge: Badge }) {
  const address = addressOf(svg);
  return (
    <>
      <img src={address} alt={`badge of the ${metric ?? shows}`} />
      <Command text={`[![maturity](${address})](${location.href})`} />
    </>
  );
}
