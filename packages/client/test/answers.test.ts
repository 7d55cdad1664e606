import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Client } from "../src/index.ts";
import { breakOff, hangUp, hasty, inTurn, json, listen, page, refuse } from "./support/listener.ts";
import { imageScan, secret, target } from "./support/reports.ts";

const { area, team, app } = target;
const empty = { items: [], next: null };
const drain = async (pieces: AsyncIterable<unknown>) => {
  for await (const _ of pieces);
};

interface Method {
  readonly call: (client: Client) => unknown;
  /** Whether it changes nothing. */
  readonly reads?: true;
  /** A good answer. */
  readonly answer: object;
  /** Whether it does something again where it is sent again without a key. */
  readonly once?: true;
}

const waiver = { kind: "accepted", area, scorecard: "security", reason: "r", owner: "ann" } as const;

const campaign = {
  ...{ name: "No secrets", why: { text: "so" }, owner: "ann", due: "2999-12-31" },
  goal: { metric: "security.secret_scan", min: 100 },
};

/** Every method of the client: one that is missing here does not compile. */
const methods: Readonly<Record<keyof Client, Method>> = {
  submit: { call: (client) => client.submit(imageScan), answer: { score: 1 } },
  submitAll: { call: (client) => client.submitAll([imageScan]), answer: { scores: [], reported_at: "" } },
  reportProblem: { call: (client) => client.reportProblem(secret), answer: { reported_at: "" }, once: true },
  areas: { call: (client) => client.areas().toArray(), answer: empty, reads: true },
  teams: { call: (client) => client.teams().page(), answer: empty, reads: true },
  problemTimes: { call: (client) => client.problemTimes().page(), answer: empty, reads: true },
  problemWeeks: { call: (client) => client.problemWeeks().page(), answer: empty, reads: true },
  levels: { call: (client) => client.levels().page(), answer: empty, reads: true },
  metricAverages: { call: (client) => client.metricAverages().page(), answer: empty, reads: true },
  apps: { call: (client) => drain(client.apps()), answer: empty, reads: true },
  scores: { call: (client) => drain(client.scores().pages()), answer: empty, reads: true },
  problems: { call: (client) => client.problems().toArray(), answer: empty, reads: true },
  scorecards: { call: (client) => client.scorecards().toArray(), answer: empty, reads: true },
  history: { call: (client) => client.history(target).toArray(), answer: empty, reads: true },
  changes: { call: (client) => client.changes().toArray(), answer: empty, reads: true },
  changeTotals: { call: (client) => client.changeTotals().toArray(), answer: empty, reads: true },
  search: { call: (client) => client.search({ q: "a" }).toArray(), answer: empty, reads: true },
  registry: { call: (client) => client.registry().toArray(), answer: empty, reads: true },
  formerNames: { call: (client) => client.formerNames().toArray(), answer: empty, reads: true },
  waivers: { call: (client) => client.waivers().toArray(), answer: empty, reads: true },
  audit: { call: (client) => client.audit().toArray(), answer: empty, reads: true },
  register: { call: (client) => client.register([{ area, team, app }]), answer: { registered: 1, moved: [] } },
  revokeWaiver: { call: (client) => client.revokeWaiver("1"), answer: { id: "1" } },
  whoAmI: { call: (client) => client.whoAmI(), answer: { scopes: [] }, reads: true },
  health: { call: (client) => client.health(), answer: { status: "ok" }, reads: true },
  version: { call: (client) => client.version(), answer: { version: "1" }, reads: true },
  waive: { call: (client) => client.waive(waiver), answer: { id: "1" }, once: true },
  previewWaiver: { call: (client) => client.previewWaiver(waiver), answer: { covers: {} }, reads: true },
  approveWaiver: { call: (client) => client.approveWaiver("1"), answer: { id: "1" }, once: true },
  rejectWaiver: { call: (client) => client.rejectWaiver("1", { comment: "no" }), answer: { id: "1" }, once: true },
  withdrawWaiver: { call: (client) => client.withdrawWaiver("1"), answer: { id: "1" }, once: true },
  badges: { call: (client) => client.badges().toArray(), answer: empty, reads: true },
  makeBadge: {
    call: (client) => client.makeBadge({ ...target, shows: "score" }),
    answer: { id: "1" },
    once: true,
  },
  revokeBadge: { call: (client) => client.revokeBadge("1"), answer: { id: "1" } },
  campaigns: { call: (client) => client.campaigns().toArray(), answer: empty, reads: true },
  campaign: { call: (client) => client.campaign("1"), answer: { id: "1" }, reads: true },
  campaignMembers: { call: (client) => client.campaignMembers("1").toArray(), answer: empty, reads: true },
  campaignDays: { call: (client) => client.campaignDays("1").toArray(), answer: empty, reads: true },
  campaignGroups: { call: (client) => client.campaignGroups("1").toArray(), answer: empty, reads: true },
  makeCampaign: { call: (client) => client.makeCampaign(campaign), answer: { id: "1" }, once: true },
  previewCampaign: { call: (client) => client.previewCampaign(campaign), answer: { progress: {} }, reads: true },
  changeCampaign: { call: (client) => client.changeCampaign("1", { name: "n" }), answer: { id: "1" }, once: true },
  move: {
    call: (client) => client.move({ from: { area }, to: { area: "x" } }),
    answer: { dry_run: false },
    once: true,
  },
  retire: { call: (client) => client.retire({ area, team, app, reason: "r" }), answer: { dry_run: false }, once: true },
  restore: { call: (client) => client.restore({ area, team, app }), answer: { dry_run: false }, once: true },
};
const dryRuns: Readonly<Record<string, Method>> = {
  "a dry run of move": {
    call: (client) => client.move({ from: { area }, to: { area: "x" }, dry_run: true }),
    answer: { dry_run: true },
    reads: true,
  },
  "a dry run of register": {
    call: (client) => client.register([{ area, team, app }], { dryRun: true }),
    answer: { registered: 1, moved: [] },
    reads: true,
  },
  "a dry run of retire": {
    call: (client) => client.retire({ area, team, app, reason: "r", dry_run: true }),
    answer: { dry_run: true },
    reads: true,
  },
  "a dry run of restore": {
    call: (client) => client.restore({ area, team, app, dry_run: true }),
    answer: { dry_run: true },
    reads: true,
  },
};

/** Refusals of the service itself. */
const byService: Readonly<Record<string, RequestListener>> = Object.fromEntries(
  [400, 401, 403, 404, 409, 413, 429, 500, 502, 503, 504].map((status) => [`${status}`, refuse(status, "of-service")]),
);
const passing = ["429", "502", "503", "504"];
/** Answers of what is not the service, or that break off. */
const others: Readonly<Record<string, RequestListener>> = Object.fromEntries(
  [200, 301, 400, 401, 403, 404, 405, 408, 429, 500, 502, 503, 504].flatMap((status) => [
    [`${status} with a page`, page(status)],
    [`${status} with nothing`, (_, response) => response.writeHead(status).end()],
    [`${status} with JSON of something else`, json(status, { code: "gateway", message: "later", statusCode: "5xx" })],
    [`${status} that breaks off`, breakOffAt(status)],
  ]),
);

function breakOffAt(status: number): RequestListener {
  return (_, response) => {
    response.writeHead(status, { "content-length": "1000" }).write("{");
    setImmediate(() => response.destroy());
  };
}

/** What came of a call to which this answered first, once it had read the request, and a good answer second. */
async function outcomeOf({ call, answer }: Method, first: RequestListener) {
  const requests: object[] = [];
  const counted = inTurn(first, json(200, answer));
  const url = await listen(async (request, response) => {
    const body = await text(request);
    const { method, url, headers } = request;
    requests.push({ method, url, key: headers["idempotency-key"], body });
    counted(request, response);
  });
  const client = hasty().createClient({ url });
  const error = await Promise.resolve(call(client)).then(
    () => undefined,
    (error) => error,
  );
  return { error, requests };
}

test.each(Object.entries({ ...methods, ...dryRuns }))(
  "%s is sent again where that may help and does nothing twice",
  async (_, method) => {
    const said: Record<string, number> = {};
    const expected: Record<string, number> = {};
    const all = { ...byService, ...others, "no answer": hangUp, "half an answer": breakOff };
    for (const [name, listener] of Object.entries(all)) {
      const { error, requests } = await outcomeOf(method, listener);
      said[name] = requests.length;
      expected[name] = passing.includes(name.slice(0, 3)) || /break|no answer|half/.test(name) ? 2 : 1;
      for (const request of requests) {
        expect(request, name).toEqual(requests[0]);
        expect(request, name).toMatchObject({
          key: method.once ? expect.stringMatching(/^[\x21-\x7e]{1,200}$/) : undefined,
        });
      }
      if (method.reads && error !== undefined) expect(error, name).toMatchObject({ inDoubt: false });
      if (!method.once || error === undefined || name in byService) continue;
      expect(error, name).toMatchObject({ inDoubt: true, attempts: 1 });
      expect(error.message, name).toMatch(/; it may be done all the same, so look before you do it again$/);
    }
    expect(said).toEqual(expected);
  },
);

const ownAddress = ", such as a proxy with a login of its own; give an address at which the service itself answers";

test.each<[status: number, isOutage: boolean, said: string]>([
  [200, false, "what answers at URL, with status 200, is not the service"],
  [401, false, `something before the service at URL refuses with status 401${ownAddress}`],
  [403, false, `something before the service at URL refuses with status 403${ownAddress}`],
  [
    404,
    false,
    "there is no service at URL: the answer has status 404 and is none of the service; look whether the path of the address is right",
  ],
  [500, true, "what answers at URL, with status 500, is not the service"],
  [502, true, "a proxy answers at URL with status 502, and not the service"],
  [504, true, "a proxy answers at URL with status 504, and not the service"],
])("a page of status %i is described as what it is", async (status, isOutage, said) => {
  const url = await listen(page(status));
  const client = hasty().createClient({ url, giveUpAfterMs: 10_000 });
  const text = said.replace("URL", url);
  const message = isOutage ? expect.stringContaining(text) : text; // an outage is tried again, and says how often
  await expect(client.whoAmI()).rejects.toMatchObject({ code: "unexpected-answer", status, isOutage, message });
  await expect(client.submitAll([imageScan])).rejects.toMatchObject({ isOutage, message });
});

test("what the service refuses is an outage only where it passes", async () => {
  const isOutage = async (status: number) => {
    const client = hasty().createClient({ url: await listen(refuse(status, "of-service")), giveUpAfterMs: 10_000 });
    const error = await client.submit(imageScan).catch((error) => error);
    return error.isOutage;
  };
  expect(await Promise.all([400, 404, 429, 500, 502, 503, 504].map(isOutage))).toEqual([
    false,
    false,
    true,
    false,
    true,
    true,
    true,
  ]);
});
