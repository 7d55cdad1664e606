import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Failed, type Failure, shownPerson } from "./ask.ts";

/** Something that the reader asks the service to do. */
export interface Attempt {
  readonly isBusy: ReadonlySignal<boolean>;
  /** Why the last try failed. */
  readonly failure: ReadonlySignal<Failure | undefined>;
  /** Tries it. Says whether it succeeded. */
  attempt(action: () => Promise<unknown>): Promise<boolean>;
}

export function useAttempt(): Attempt {
  const isBusy = useSignal(false);
  const failure = useSignal<Failure>();
  return {
    isBusy,
    failure,
    async attempt(action) {
      isBusy.value = true;
      failure.value = undefined;
      try {
        await action();
        return true;
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        failure.value = error.failure;
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

type Fault = NonNullable<Failure["details"]>[number];

/**
 * The faults of a form by its fields.
 *
 * @returns the faults; the one of a field or of something within it; and the place of the form, whose first field with a
 * fault gets the focus
 */
export function useFaults({ failure }: Attempt): {
  readonly faults: readonly Fault[];
  readonly faultOf: (field: string) => string | undefined;
  readonly form: RefObject<HTMLFormElement | null>;
} {
  const form = useRef<HTMLFormElement>(null);
  const faults = failure.value?.details?.filter(({ path }) => path !== shownPerson) ?? [];
  useEffect(() => {
    if (failure.value) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure.value]);
  return { faults, faultOf: (field) => faults.find(({ path }) => isWithin(path, field))?.message, form };
}

/** Is a path that of a field, or of something within it? */
function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}
