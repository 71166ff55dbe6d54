import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TSC = fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url));
const PROJECT = fileURLToPath(new URL('.', import.meta.url));

/** Builds the package: ES modules with their types. `ui/build.ts` builds the classic script that the service serves. */
export function buildFrontendSdk(outDir: string): void {
  execFileSync(process.execPath, [TSC, '-p', PROJECT, '--noEmit', 'false', '--outDir', outDir], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

if (import.meta.main) buildFrontendSdk(`${PROJECT}dist`);
