import { registerHooks } from 'node:module';

/**
 * This module is loaded before a service starts. It adds the auth mode `voucher` to the table of auth modes, as a new folder and
 * a line in the table would.
 */
const MODE = new URL('voucher.ts', import.meta.url).href;
const TABLE = 'export const AUTH_MODES: readonly AuthMode[] = [';

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/core/auth-modes/index.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(TABLE)) throw new Error(`the table of auth modes is not where it was: ${url}`);
    return { ...loaded, source: `import { voucher } from '${MODE}';\n${source.replace(TABLE, `${TABLE} voucher,`)}` };
  },
});
