import { useSignal } from "@preact/signals";
import { addressOfPlace } from "../place.ts";

/** Copies a text when it is pressed, and says whether the browser let it. */
export function CopyButton({
  text,
  label,
  otherwise,
}: {
  readonly text: () => string;
  readonly label: string;
  /** What to do where the browser does not let. */
  readonly otherwise: string;
}) {
  const said = useSignal(label);
  const copy = async () => {
    said.value = (await copyText(text())) ? "Copied" : otherwise;
    setTimeout(() => {
      said.value = label;
    }, 2_000);
  };
  return (
    <button type="button" onClick={copy}>
      <span aria-live="polite">{said}</span>
    </button>
  );
}

/** Copies the address of what the page shows. */
export function CopyLink() {
  return <CopyButton text={addressOfPlace} label="Copy link" otherwise="Copy the address above" />;
}

/** Puts a text into the clipboard, if the browser lets: over plain HTTP it may not. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
