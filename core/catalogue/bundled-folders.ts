import { fileURLToPath } from 'node:url';

/** The folders that come with the service. */
export const BUNDLED_PROVIDERS = fileURLToPath(new URL('../../providers', import.meta.url));
export const BUNDLED_PLUGINS = fileURLToPath(new URL('../../plugins', import.meta.url));
