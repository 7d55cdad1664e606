import type { Knex } from "knex";
import { type AppName, isSameName } from "../model/app-name.ts";
import type { WaiverSubject } from "../model/waiver.ts";
import { appRetired, type CurrentName, findCurrentNames, holdNames } from "../store/names.ts";

/** A waiver under the current name of its application, team or area, and whether that differs from the sent name. */
export type Current<Waiver> = Waiver & Pick<CurrentName, "application_id"> & { readonly isMoved: boolean };

/**
 * The waiver with the current name of its application, team or area. The name is locked until the transaction ends.
 *
 * @throws ServiceError `app-retired`, because the waiver would have no effect
 */
export async function withCurrentName<Waiver extends WaiverSubject>(
  trx: Knex.Transaction,
  waiver: Waiver,
): Promise<Current<Waiver>> {
  const given = nameOf(waiver);
  await holdNames(trx);
  const { name, application_id } = await requireInUse(trx, given);
  const { area, team, app } = name;
  const isMoved = !isSameName(name, given);
  return { ...waiver, application_id, area, ...(team && { team }), ...(app && { app }), isMoved };
}

/** The current state of a name. @throws ServiceError `app-retired` */
export async function requireInUse(trx: Knex.Transaction, given: AppName): Promise<CurrentName> {
  const [current] = (await findCurrentNames(trx, [given])) as [CurrentName];
  if (current.retired !== null) throw appRetired([{ name: given, path: "app" }]);
  return current;
}

/** The name of a scope; an empty team or app stands for all of them. */
export function nameOf({ area, team, app }: { area: string; team?: string | null; app?: string | null }): AppName {
  return { area, team: team ?? "", app: app ?? "" };
}
