import { readFile, writeFile } from 'node:fs/promises';
import { providerJsonSchema } from '../catalogue/provider-definition.ts';
import { describeErrors } from './error-list.ts';
import { describeProviderFields } from './provider-fields.ts';

// Run by `npm run schema`: writes the JSON schema of provider.json for editors, and the lists of its fields and of all
// errors for the documentation.
const schema = new URL('../contract/provider.schema.json', import.meta.url);
await writeFile(schema, `${JSON.stringify(providerJsonSchema(), null, 2)}\n`);

const definitions = new URL('../../docs/provider-definitions.md', import.meta.url);
const text = await readFile(definitions, 'utf8');
await writeFile(
  definitions,
  text.replace(/(?<=<!-- fields -->\n).*(?=<!-- \/fields -->)/s, () => `\n${describeProviderFields()}\n`),
);

await writeFile(new URL('../../docs/errors.md', import.meta.url), describeErrors());
