import { appsOf, type CatalogOptions } from "./apps-of.ts";
import { isCsv, readCsv } from "./csv.ts";
import { type Entity, optionalText, readEntities } from "./entities.ts";
import { linkedFiles, namedFile } from "./linked-files.ts";
import { type CatalogReading, type FoundApp, type PassedOver, PassOver } from "./reading.ts";
import { type CatalogFile, type CatalogSource, readDecoded } from "./source.ts";

/** As many files are read at the most, since a Location may lead to Locations. */
const maxFiles = 20_000;

/**
 * Reads catalog files of Backstage and tables in CSV, with the files that their Locations lead to.
 *
 * @param names paths, or `-` for standard input
 * @returns the applications, and each part that gives none with its reason; a file that cannot be read is a fault
 */
export async function readCatalog(
  names: readonly string[],
  options: CatalogOptions,
  source: CatalogSource,
): Promise<CatalogReading> {
  const entities: Entity[] = [];
  const apps: FoundApp[] = [];
  const passedOver: PassedOver[] = [];
  const faults: PassedOver[] = [];
  const files = await Promise.all(names.map((name) => namedFile(name, source.cwd)));
  const seen = new Set<string>();
  for (const file of files) {
    if (seen.has(file.path)) continue;
    if (seen.size === maxFiles) {
      faults.push({
        file: file.name,
        line: 1,
        what: "the file",
        why: `it is beyond ${maxFiles} files, which is the most`,
      });
      break;
    }
    seen.add(file.path);
    try {
      const text = await readDecoded(file, source);
      if (isCsv(text)) {
        const table = readCsv(text, file.name, options);
        apps.push(...table.apps);
        passedOver.push(...table.passedOver);
        faults.push(...table.faults);
        continue;
      }
      const found = await readEntities(text, file, source);
      entities.push(...found.entities);
      passedOver.push(...found.passedOver);
      faults.push(...found.faults);
      for (const entity of found.entities) {
        const { files: linked, problems } = await targetsOf(entity, source);
        files.push(...linked);
        for (const why of problems) passedOver.push({ ...placeOf(entity), what: `Location ${entity.name}`, why });
      }
    } catch (error) {
      if (!(error instanceof PassOver)) throw error;
      faults.push({ file: file.name, line: 1, what: "the file", why: error.message });
    }
  }
  const components = await appsOf(entities, options);
  return withoutCopies({
    apps: [...components.apps, ...apps],
    passedOver: [...passedOver, ...components.passedOver],
    faults,
  });
}

function placeOf({ file, line }: Entity): { readonly file: string; readonly line: number } {
  return { file, line };
}

/** The files that a Location leads to, and what is wrong with its targets. */
async function targetsOf(
  entity: Entity,
  source: CatalogSource,
): Promise<{ readonly files: readonly CatalogFile[]; readonly problems: readonly string[] }> {
  if (entity.kind.toLowerCase() !== "location") return { files: [], problems: [] };
  const files: CatalogFile[] = [];
  const problems: string[] = [];
  const attempt = async (read: () => Promise<readonly CatalogFile[]>) => {
    try {
      files.push(...(await read()));
    } catch (error) {
      if (!(error instanceof PassOver)) throw error;
      problems.push(error.message);
    }
  };
  const given = async (name: string) => {
    const value = await entity.field("spec", name);
    return value === undefined ? [] : [value].flat();
  };
  await attempt(async () => {
    const targets = [...(await given("target")), ...(await given("targets"))];
    if (targets.length === 0) throw new PassOver("it has no spec.target and no spec.targets");
    for (const target of targets) {
      await attempt(async () => {
        const text = await optionalText(Promise.resolve(target), "a target");
        return text === undefined ? [] : linkedFiles(entity.of, text, source);
      });
    }
    return [];
  });
  return { files, problems };
}

/** One application once: its first entry counts. */
function withoutCopies({ apps, passedOver, faults }: CatalogReading): CatalogReading {
  const first = new Map<string, FoundApp>();
  const copies: PassedOver[] = [];
  for (const found of apps) {
    const { area, team, app } = found.entry;
    const key = JSON.stringify([area, team, app]);
    const former = first.get(key);
    if (!former) first.set(key, found);
    else {
      const why = `${area} / ${team} / ${app} stands in ${former.file}:${former.line} already`;
      copies.push({ file: found.file, line: found.line, what: app, why });
    }
  }
  return { apps: [...first.values()], passedOver: [...passedOver, ...copies], faults };
}
