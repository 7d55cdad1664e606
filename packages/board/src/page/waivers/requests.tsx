import type { Waiver } from "@maturity/client";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useScorecards } from "../data/scorecards.ts";
import { plural } from "../format.ts";
import { isOver } from "./became.ts";
import type { Decision } from "./decide-dialog.tsx";
import { WaiverCard } from "./waiver-card.tsx";
import { subjectText, targetText } from "./words.ts";

/** Requests to decide, each by itself or several at once. */
export function Requests({
  waivers,
  total,
  onDecide,
}: {
  readonly waivers: readonly Waiver[];
  readonly total: number;
  readonly onDecide: (decision: Decision) => void;
}) {
  const scorecards = useScorecards();
  const chosen = useSignal<ReadonlySet<string>>(new Set());
  const some = waivers.filter(({ id }) => chosen.value.has(id));
  const choose = (of: readonly Waiver[], isChosen: boolean) => {
    const ids = of.map(({ id }) => id);
    chosen.value = new Set([...chosen.value].filter((id) => !ids.includes(id)).concat(isChosen ? ids : []));
  };
  return (
    <section aria-label="Requests">
      {waivers.length > 1 && (
        <div class="toolbar">
          <Box isChosen={some.length === waivers.length} onChoose={(isChosen) => choose(waivers, isChosen)}>
            choose all {waivers.length < total ? `${waivers.length} shown of ${total}` : total}
          </Box>
          <Buttons waivers={some} onDecide={onDecide}>
            {some.length === 0 ? " the chosen" : ` ${plural(some.length, "request")}`}
          </Buttons>
        </div>
      )}
      <ul class="requests">
        {waivers.map((waiver) => {
          const name = ` ${subjectText(waiver, scorecards)} of ${targetText(waiver)}`;
          return (
            <WaiverCard key={waiver.id} waiver={waiver}>
              {isOver(waiver) && <p class="down">Its end has passed, so that it can only be rejected.</p>}
              <div class="row">
                {waivers.length > 1 && (
                  <Box isChosen={chosen.value.has(waiver.id)} onChoose={(isChosen) => choose([waiver], isChosen)}>
                    choose<span class="sr">{name}</span>
                  </Box>
                )}
                <Buttons waivers={[waiver]} onDecide={onDecide}>
                  <span class="sr">{name}</span>
                </Buttons>
              </div>
            </WaiverCard>
          );
        })}
      </ul>
    </section>
  );
}

function Box({
  isChosen,
  onChoose,
  children,
}: {
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly children: ComponentChildren;
}) {
  return (
    <label>
      <input type="checkbox" checked={isChosen} onChange={({ currentTarget }) => onChoose(currentTarget.checked)} />{" "}
      {children}
    </label>
  );
}

function Buttons({
  waivers,
  onDecide,
  children,
}: {
  readonly waivers: readonly Waiver[];
  readonly onDecide: (decision: Decision) => void;
  readonly children: ComponentChildren;
}) {
  const verbs = waivers.some(isOver) ? (["reject"] as const) : (["approve", "reject"] as const);
  return (
    <>
      {verbs.map((verb) => (
        <button key={verb} type="button" disabled={waivers.length === 0} onClick={() => onDecide({ verb, waivers })}>
          {verb === "approve" ? "Approve" : "Reject"}
          {children}
        </button>
      ))}
    </>
  );
}
