import { CopyButton } from "./copy.tsx";

/** A command to paste into a shell. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div class="command">
      <pre>{text}</pre>
      <CopyButton text={() => text} label="Copy" otherwise="Select it, and copy" />
    </div>
  );
}
