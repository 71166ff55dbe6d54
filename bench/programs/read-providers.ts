import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { PROVIDER_FILE } from '../../core/catalogue/provider-file.ts';
import { BUNDLED } from '../../test/support/generated-providers.ts';

// Reads providers as the service does at its start (`catalogue`), or only parses their JSON, and reports the cost in
// milliseconds.
const [what, ...dirs] = process.argv.slice(2);
const startedAt = performance.now();
const before = process.cpuUsage();
if (what === 'catalogue') await readCatalogue(dirs, BUNDLED);
else
  for (const dir of dirs) for (const name of readdirSync(dir)) JSON.parse(readFileSync(join(dir, name, PROVIDER_FILE), 'utf8'));
const { user, system } = process.cpuUsage(before);
process.send?.({ wall: performance.now() - startedAt, cpu: (user + system) / 1000 });
process.disconnect?.();
