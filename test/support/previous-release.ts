import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceProcess, startService } from './processes.ts';
import { projectFolder } from './source-files.ts';

/** The last commit of the release before. */
const COMMIT = '3b3791293a2bb2b88b74240abd37e74ce9768396';

/** The last one whose scripts were jobs of pg-boss. */
export const BEFORE_SCRIPT_QUEUE = 'f7da84b6b4bc9b2d711dd8b7f4cd08d537b423be';

export interface PreviousRelease extends Disposable {
  /** Of its files. */
  readonly folder: string;
  /** The service as it was, with the packages of today. */
  start(options: Parameters<typeof startService>[0]): Promise<ServiceProcess>;
}

/** Undefined where the history does not go back so far, as in a shallow clone. */
export function checkOutPreviousRelease(commit = COMMIT): PreviousRelease | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'svc-previous-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync('git', ['archive', commit], {
      cwd: projectFolder,
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
  } catch {
    remove();
    return undefined;
  }
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  const processes = pathToFileURL(join(folder, 'test/support/processes.ts')).href;
  return {
    folder,
    start: async (options) => (await import(processes)).startService(options),
    [Symbol.dispose]: remove,
  };
}
