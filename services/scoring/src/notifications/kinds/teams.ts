import { secretFile } from "../../model/settings-file.ts";
import type { Destination, Kind, Message } from "../destination.ts";
import type { Outwards } from "../outwards.ts";
import { type Line, type Words, wordsOf } from "../words.ts";
import { sentBy, unreachable } from "./http-answer.ts";
import { webAddress } from "./web-address.ts";

interface TeamsSettings {
  readonly url_file: string;
}

/** A channel of Microsoft Teams, by the address of a workflow, which is a secret itself. */
export const teams: Kind<TeamsSettings> = {
  kind: "teams",
  settings: { url_file: secretFile.concat(webAddress).required() },
  create: ({ url_file: url }, outwards) => createTeams(new URL(url), outwards),
};

function createTeams(url: URL, outwards: Outwards): Destination {
  return {
    ...{ kind: "teams", pace: 1 }, // a workflow accepts 4 requests a second
    addressOf: () => "",
    async send(message, signal) {
      const headers = { "content-type": "application/json; charset=utf-8", "user-agent": "maturity-service" };
      try {
        const answer = await outwards.request(url, { headers, body: cardOf(message), signal });
        return sentBy(answer, message.id);
      } catch (error) {
        return unreachable(error);
      }
    },
  };
}

/** The longest message that Teams accepts, in bytes: https://learn.microsoft.com/microsoftteams/limits-specifications-teams */
const longestCard = 28 * 1_024;

/** A message with an adaptive card. Lines are left out from the end until it is short enough. */
export function cardOf(message: Message): string {
  const words = wordsOf(message);
  for (let shown = words.lines.length; ; shown--) {
    const left = words.lines.length - shown;
    const more: Line[] = left > 0 ? [{ text: `and ${left} more lines`, style: "plain" }] : [];
    const card = JSON.stringify(cardWith({ ...words, lines: [...words.lines.slice(0, shown), ...more] }));
    if (Buffer.byteLength(card) <= longestCard || shown === 0) return card;
  }
}

function cardWith({ note, lead, title, lines, link }: Words): object {
  const head = [...(lead === null ? [] : [bold(`${lead}: `)]), lead === null ? bold(title) : run(title)];
  const body = [...(note === null ? [] : [block([run(note)])]), block(head), ...lines.map(lineBlock)];
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          ...{ type: "AdaptiveCard", version: "1.4" },
          body,
          ...(link !== null && { actions: [{ type: "Action.OpenUrl", title: "Board", url: link }] }),
          msteams: { width: "Full" },
        },
      },
    ],
  };
}

function lineBlock({ text, code, count, style }: Line): object {
  const start = style === "item" ? [run("• ")] : [];
  const place = code === undefined ? [] : [{ ...run(`${code} `), fontType: "Monospace" }];
  const words = style === "heading" ? bold(count === undefined ? text : `${text} (${count})`) : run(text);
  return block([...start, ...place, words]);
}

/** Text runs show their text as it is: only other elements of a card read mark-up. */
function block(inlines: readonly object[]): object {
  return { type: "RichTextBlock", inlines };
}

function run(text: string): object {
  return { type: "TextRun", text };
}

function bold(text: string): object {
  return { ...run(text), weight: "Bolder" };
}
