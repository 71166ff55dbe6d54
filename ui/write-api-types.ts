import { writeFile } from 'node:fs/promises';
import { API_TYPES_FILE, apiTypes } from './pipeline/api-types.ts';

// Run by `npm run schema`.
await writeFile(API_TYPES_FILE, await apiTypes());
