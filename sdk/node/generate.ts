import { writeFile } from 'node:fs/promises';
import { generatedFiles } from './generated-files.ts';

// Run by `npm run schema`: generates the client's types and table of operations from the OpenAPI document.
for (const [name, text] of Object.entries(await generatedFiles())) {
  await writeFile(new URL(`src/${name}`, import.meta.url), text);
}
