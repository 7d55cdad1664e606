import type { AnySubmission, Campaign, Client } from "@maturity/client";
import { UsageError } from "@maturity/command-line/usage-error";

/**
 * The campaign whose id begins so.
 *
 * @param given a whole id, or at least the first 4 characters of one
 * @throws UsageError if there is none, or there are several
 */
export async function findCampaign(client: Client<AnySubmission>, given: string): Promise<Campaign> {
  if (!/^[\da-f-]{4,36}$/i.test(given)) {
    throw new UsageError(
      `${JSON.stringify(given)} is no id of a campaign, nor the first 4 characters of one; maturity campaign list has them`,
    );
  }
  if (given.length === 36) return client.campaign(given);
  const state = ["draft", "running", "ended", "archived"] as const;
  const all = await client.campaigns({ state: [...state] }).toArray();
  const [campaign, ...others] = all.filter(({ id }) => id.startsWith(given.toLowerCase()));
  if (!campaign)
    throw new UsageError(`no campaign has an id that begins with ${given}; maturity campaign list has them`);
  if (others.length > 0) {
    const ids = [campaign, ...others].map(({ id }) => id).join(", ");
    throw new UsageError(`several campaigns begin with ${given}: ${ids}`);
  }
  return campaign;
}
