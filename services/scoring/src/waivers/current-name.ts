import type { Knex } from "knex";
import { type AppName, isSameName } from "../model/app-name.ts";
import type { WaiverSubject } from "../model/waiver.ts";
import { appRetired, type CurrentName, findCurrentNames, holdNames } from "../store/names.ts";

/** A waiver under the current name of its application, team or area, and whether that differs from the sent name. */
export type Current<Waiver> = Waiver & { readonly isMoved: boolean };

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
  const { area, team, app } = await requireInUse(trx, given);
  const isMoved = !isSameName({ area, team, app }, given);
  return { ...waiver, area, ...(team && { team }), ...(app && { app }), isMoved };
}

/** The current name. @throws ServiceError `app-retired` */
export async function requireInUse(trx: Knex.Transaction, given: AppName): Promise<AppName> {
  const [{ name, retired }] = (await findCurrentNames(trx, [given])) as [CurrentName];
  if (retired !== null) throw appRetired([{ name: given, path: "app" }]);
  return name;
}

/** The name of a scope; an empty team or app stands for all of them. */
export function nameOf({ area, team, app }: { area: string; team?: string | null; app?: string | null }): AppName {
  return { area, team: team ?? "", app: app ?? "" };
}
