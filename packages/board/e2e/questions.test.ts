import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fillWithDemo } from "../../../services/scoring/src/commands/fill-with-demo.ts";
import type { TestService } from "../../../services/scoring/test/support/service.ts";
import { column, describeInBrowser, openBoard, settled, startBoard } from "./support/browser.ts";
import { waive } from "./support/shop.ts";

/** A press on an element by its role and its name, or the choice of an option. */
type Step =
  | { readonly role: "link" | "button"; readonly name: string | RegExp; readonly exact?: boolean }
  | { readonly role: "combobox"; readonly name: string; readonly option: string };

interface Question {
  readonly steps: readonly Step[];
  /** Texts of the answer, all in sight at the end. */
  readonly texts: readonly (string | RegExp)[];
  /** What else must hold of the answer. */
  check?(page: Page): Promise<void>;
}

const link = (name: string | RegExp, exact = true): Step => ({ role: "link", name, exact });

const questions: Readonly<Record<string, Question>> = {
  "which area and team are worst, and why": {
    steps: [link("Teams"), link("delivery")],
    texts: ["delivery", "Fix first", "Vulnerabilities in the container image"],
    async check(page) {
      const answer = await page.request.get(new URL("/teams?env=prod&sort=score&limit=1", page.url()).href);
      expect((await answer.json()).items).toMatchObject([{ team: "delivery" }]);
    },
  },
  "what changed most, by us or by the rules": {
    steps: [link("areas fell in 30 days")],
    texts: [/reports, summed over \d+ applications/, /rules, summed over \d+ applications/, "@maturity/security@0.1.0"],
    async check(page) {
      const changes = (await column(page, 1)).map((text) => Number(text.replace("−", "-")));
      expect(changes).toEqual(changes.toSorted((a, b) => a - b));
    },
  },
  "which results are too old to believe": {
    steps: [link("covered by fresh results")],
    texts: ["Stale results", "Age", "stale"],
  },
  "who never reported security": {
    steps: [link("Applications"), { role: "combobox", name: "Never reported anything of", option: "security" }],
    texts: ["gift-cards", "silent"],
  },
  "what team checkout does first, and what it gains": {
    steps: [link("Teams"), link("checkout")],
    texts: ["Fix first", "sast in 4 applications", /^\+\d+\.\d$/],
  },
  "which critical problems are open, since when and whose": {
    steps: [link("open critical problems")],
    texts: ["Open problems", "terraform_secret", "Team", "Area", "Open"],
    check: async (page) => expect(new Set(await column(page, 1))).toEqual(new Set(["critical"])),
  },
  "which waivers end this month, and who gave them": {
    steps: [link("Waivers"), link("ending this month")],
    texts: ["staging moves to another region", "Given by", "anybody"],
  },
  "what is below silver, and what is missing": {
    steps: [link("Levels"), link(/^below silver/)],
    texts: ["Below silver", "What is missing", /share fresh 75 %, has/],
  },
  "how the year of an area was": {
    steps: [link("shop"), link("365 days")],
    texts: ["Score by the day"],
    async check(page) {
      const days = page.getByRole("slider", { name: "Score by the day, at 00:00 UTC: the day" });
      expect(Number(await days.getAttribute("aria-valuemax"))).toBeGreaterThan(300);
    },
  },
  "how two teams compare by metric": {
    steps: [link("Two teams side by side"), link("logistics / delivery"), link("fleet")],
    texts: ["delivery", "fleet", "Vulnerabilities in the container image", "Difference"],
  },
  "what a slide can show": { steps: [link("Sheet for a meeting")], texts: ["Lowest applications", "Print"] },
  "which link leads to this view": {
    steps: [link("Problems"), { role: "button", name: "Copy link" }],
    texts: ["Copied"],
    check: async (page) => expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url()),
  },
  "what moved or was retired lately": {
    steps: [link("What happened"), link("Moved or retired")],
    texts: [/moved shop\/storefront\/app-gateway/, /retired service\/contact\/fax-gateway/],
  },
  "how long problems stay open": {
    steps: [link("Problems"), link("Time open")],
    texts: ["Median", "90th percentile", "critical", "logistics"],
  },
  "what the goal is, and whether it is on its way": {
    steps: [],
    texts: [/Goal by/, "Images that can be patched in a day", /percentage points (behind|ahead)|on the line/],
  },
  "which metric drags most": {
    steps: [link("Metrics")],
    texts: ["most by Vulnerabilities in the container image", "Costs"],
    async check(page) {
      const costs = (await column(page, 1)).map(Number);
      expect(costs.length).toBeGreaterThan(10);
      expect(costs).toEqual(costs.toSorted((a, b) => b - a));
    },
  },
};

/** More would not be found. */
const mostClicks = 3;

describeInBrowser("the made-up organisation answers", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startBoard();
    const now = new Date();
    await fillWithDemo(service.database, now);
    const lastSecond = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 1_000;
    await waive(service, {
      ...{ area: "shop", team: "checkout", app: "payment", scorecard: "security", metric: "dast", kind: "accepted" },
      ...{ reason: "staging moves to another region", expires_at: new Date(lastSecond).toISOString() },
    });
  });
  afterAll(() => service.stop());

  test.each(
    Object.entries(questions).flatMap(([question, answer]) =>
      (["mouse", "keyboard"] as const).map((by) => ({ question, by, answer })),
    ),
  )("$question, by $by", async ({ by, answer: { steps, texts, check } }) => {
    expect(steps.length).toBeLessThanOrEqual(mostClicks);
    const page = await openBoard(service, "", { permissions: ["clipboard-read", "clipboard-write"] });
    await settled(page);
    for (const step of steps) {
      if (step.role === "combobox") await choose(page, step, by);
      else {
        const { role, name, exact = false } = step;
        const found = page.getByRole(role, { name, exact }).first();
        await (by === "mouse" ? found.click() : found.press("Enter"));
      }
      if (step.role !== "button") await settled(page);
    }
    const main = page.locator("main");
    for (const text of texts) await main.getByText(text).filter({ visible: true }).first().waitFor();
    await check?.(page);
  });
});

async function choose(page: Page, { name, option }: Step & { role: "combobox" }, by: "mouse" | "keyboard") {
  const list = page.getByRole("combobox", { name });
  if (by === "mouse") await list.selectOption(option);
  else {
    await list.focus();
    await page.keyboard.type("never reported S");
  }
}
