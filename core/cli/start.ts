import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CommandError } from './output.ts';

const BUILD_UI = fileURLToPath(new URL('../../ui/build.ts', import.meta.url));

/** The service, and before it the pages, where they have changed. */
export async function startCommand(): Promise<void> {
  const { status } = spawnSync(process.execPath, [BUILD_UI], { stdio: ['ignore', 'inherit', 'inherit'] });
  // It has said why.
  if (status !== 0) throw new CommandError(1, 'the service is not started');
  await import('../main.ts');
}
