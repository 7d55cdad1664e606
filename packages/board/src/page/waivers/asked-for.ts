import { type ReadonlySignal, signal } from "@preact/signals";

/** What a waiver is asked for. */
export interface AskedFor {
  readonly area: string;
  readonly team?: string | undefined;
  readonly app?: string | undefined;
  readonly env?: string | undefined;
  readonly scorecard?: string | undefined;
  readonly metric?: string | undefined;
  readonly problem_type?: string | undefined;
  /** The waiver that it follows. */
  readonly extends?: string;
}

const current = signal<AskedFor>();

/** For this the form is open. */
export const askedFor: ReadonlySignal<AskedFor | undefined> = current;

/** Opens the form. */
export function askFor(what: AskedFor): void {
  current.value = what;
}

/** Closes the form. */
export function stopAsking(): void {
  current.value = undefined;
}
