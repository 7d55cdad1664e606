import { Dialog } from "../parts/dialog.tsx";
import { go, hrefOf } from "../place.ts";
import { MakeForm } from "./make-form.tsx";

/** The form that makes a campaign. It leads to the screen of the campaign that was made. */
export function MakeDialog({ env, onClose }: { readonly env: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Make a campaign" onClose={onClose}>
      {(close) => (
        <MakeForm
          env={env}
          onMade={(id) => {
            close();
            go(hrefOf({ view: "campaign", env, campaign: id }));
          }}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}
