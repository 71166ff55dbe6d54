import { readFileSync } from 'node:fs';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { PROVIDER_FILE } from '../../core/catalogue/provider-file.ts';
import { type Folder, makeFolders } from './folders.ts';
import { projectFolder } from './source-files.ts';

export const BUNDLED = [`${projectFolder}/providers`, `${projectFolder}/plugins`];

/**
 * Creates `count` provider folders, whose definitions repeat those of the bundled providers in turn. Every other folder also has
 * a `facts.json`.
 */
export async function generateProviders(count: number): Promise<Folder> {
  const bundled = (await readCatalogue([], BUNDLED)).list().filter(({ definition }) => definition.extends === undefined);
  const texts = bundled.map(({ directory }) => readFileSync(`${directory}/${PROVIDER_FILE}`, 'utf8'));
  const facts = JSON.stringify({ sources: [], hosts: {}, checked: '2026-01-31' });
  const folders = Array.from({ length: count }, (_, at): [string, string][] => {
    const name = `generated-${String(at).padStart(4, '0')}`;
    const definition: [string, string] = [`${name}/${PROVIDER_FILE}`, texts[at % texts.length] ?? ''];
    return at % 2 === 0 ? [definition, [`${name}/facts.json`, facts]] : [definition];
  });
  return makeFolders(Object.fromEntries(folders.flat()));
}
