/** One sample of the text exposition format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const escapes: Readonly<Record<string, string>> = { "\\\\": "\\", '\\"': '"', "\\n": "\n" };

/**
 * Reads the text exposition format 0.0.4 as strictly as Prometheus does: families stand together, each with HELP and
 * TYPE before its samples; in label values only `\\`, `\"` and `\n` are escapes.
 *
 * @throws Error naming the line that breaks the format
 */
export function parseExposition(text: string): Sample[] {
  const samples: Sample[] = [];
  const typed = new Set<string>();
  let family = "";
  if (text !== "" && !text.endsWith("\n")) throw new Error("the last line has no line feed");
  for (const line of text.split("\n").slice(0, -1)) {
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) gauge$/.exec(line)?.[1];
    if (type !== undefined) {
      if (typed.has(type)) throw new Error(`a second TYPE of ${type}`);
      typed.add(type);
      family = type;
    } else if (!/^# (HELP [a-zA-Z_:][\w:]* [^\n]+|EOF)$/.test(line)) {
      const sample = parseSample(line);
      if (sample.name !== family) throw new Error(`${sample.name} stands among ${family}`);
      samples.push(sample);
    }
  }
  return samples;
}

function parseSample(line: string): Sample {
  const match = /^([a-zA-Z_:][\w:]*)\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\\\|\\"|\\n)*",?)*)\} (\S+)$/.exec(line);
  if (!match?.[1] || match[2] === undefined || match[3] === undefined) throw new Error(`no sample: ${line}`);
  const labels = [...match[2].matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\.)*)"/g)].map(
    ([, name = "", value = ""]) =>
      [name, value.replace(/\\[\\"n]/g, (sequence) => escapes[sequence] ?? sequence)] as const,
  );
  const value = Number(match[3]);
  if (Number.isNaN(value)) throw new Error(`no number: ${line}`);
  return { name: match[1], labels: Object.fromEntries(labels), value };
}
