import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { sentence } from "../format.ts";

/** A field of a form with its label, and what the service has against it. */
export function Field({
  label,
  fault,
  hint,
  children,
}: {
  readonly label: string;
  readonly fault?: string | undefined;
  readonly hint?: ComponentChildren;
  /** Gets the attributes that tie it to its texts. */
  readonly children: (attributes: {
    readonly id: string;
    readonly "aria-describedby": string;
    readonly "aria-invalid": boolean;
  }) => ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": `${id}-hint ${id}-fault`, "aria-invalid": fault !== undefined })}
      <small id={`${id}-hint`}>{hint}</small>
      <small id={`${id}-fault`} class="down">
        {fault && sentence(fault)}
      </small>
    </div>
  );
}
