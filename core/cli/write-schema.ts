import { readFile, writeFile } from 'node:fs/promises';
import { providerJsonSchema } from '#contract';
import { describeProviderFields } from './provider-fields.ts';

// Run by `npm run schema`: the schema that editors use for provider.json, and the list of its members for people.
const schema = new URL('../contract/provider.schema.json', import.meta.url);
await writeFile(schema, `${JSON.stringify(providerJsonSchema(), null, 2)}\n`);

const readme = new URL('../../providers/README.md', import.meta.url);
const text = await readFile(readme, 'utf8');
await writeFile(
  readme,
  text.replace(/(?<=<!-- fields -->\n).*(?=<!-- \/fields -->)/s, () => `\n${describeProviderFields()}\n`),
);
