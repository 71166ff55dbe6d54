import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url));
const PROJECT = fileURLToPath(new URL('.', import.meta.url));
/** The `package.json` of `dist/cjs`: TypeScript and Node use the nearest one to decide whether a `.js` file is CommonJS. */
const COMMONJS = { type: 'commonjs' };

/**
 * Builds the package: ES modules in `dist`, and the same modules as CommonJS in `dist/cjs`, for `require` and for resolvers that
 * do not support `exports`.
 */
export function buildClient(outDir: string): void {
  compile('tsconfig.json', outDir);
  compile('tsconfig.cjs.json', `${outDir}/cjs`);
  mkdirSync(`${outDir}/cjs`, { recursive: true });
  writeFileSync(`${outDir}/cjs/package.json`, `${JSON.stringify(COMMONJS)}\n`);
}

function compile(config: string, outDir: string): void {
  execFileSync(process.execPath, [TSC, '-p', PROJECT + config, '--outDir', outDir], { stdio: ['ignore', 'inherit', 'inherit'] });
}

if (import.meta.main) buildClient(`${PROJECT}dist`);
