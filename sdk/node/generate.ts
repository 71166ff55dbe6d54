import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

// Run by `npm run schema`: what the client knows of the interface, from the description that the service gives of itself.
for (const [name, text] of Object.entries(await generatedFiles())) {
  await writeFile(new URL(`src/${name}`, import.meta.url), text);
}
