import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { addressOf } from "../data/ask.ts";
import { leastPause } from "../data/pace.ts";
import { refreshAll } from "../data/refresh.ts";
import { session } from "../data/session.ts";
import { Command } from "../parts/command.tsx";

interface Names {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
}

/**
 * The command that sends the report of a tool as the first of an application, behind what is said of it. The page asks often
 * while it stands there, since whoever sends the report looks for it.
 */
export function FirstReport({ of, children }: { readonly of: Names; readonly children: ComponentChildren }) {
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void refreshAll(), leastPause);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      {children}
      <Command text={commandOf(of)} />
      <p class="soft">
        <code>report.json</code> is what a scanner or a test run wrote. <code>maturity detect report.json</code> says
        what would be sent.
      </p>
    </>
  );
}

function commandOf({ area, team, app, env }: Names): string {
  const names = Object.entries({ area, team, app, env }).map(([flag, name]) => `--${flag}=${quoted(name)}`);
  return [
    `export MATURITY_URL=${quoted(addressOf("/").replace(/\/$/, ""))}`,
    ...(session.value ? ["export MATURITY_TOKEN=…"] : []),
    `maturity submit report.json ${names.join(" ")}`,
  ].join("\n");
}

/** For a shell: names may hold anything. */
function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
