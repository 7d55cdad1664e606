import type { ComponentChildren } from "preact";
import { addressOf } from "../data/ask.ts";
import { session } from "../data/session.ts";
import { Command } from "../parts/command.tsx";

interface Names {
  readonly area: string;
  readonly team: string;
  readonly app: string;
  readonly env: string;
}

/** The command that sends the report of a tool as the first of an application, behind what is said of it. */
export function FirstReport({ of, children }: { readonly of: Names; readonly children: ComponentChildren }) {
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
