import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourcesOf } from '../../ui/pipeline/sources.ts';
import { projectFolder } from './source-files.ts';

interface Ended {
  readonly code: number;
  readonly stderr: string;
}

/**
 * A copy of exactly those files that `ui/build.ts` counts as its sources, which include the script itself, for tests that change
 * them. The build of a copy succeeds only if the list of sources is complete.
 */
export class UiProject implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async copy(): Promise<UiProject> {
    const project = new UiProject(await mkdtemp(join(tmpdir(), 'svc-ui-')));
    for (const name of ['package.json', ...sourcesOf()]) await cp(projectFolder + name, join(project.path, name));
    await symlink(`${projectFolder}node_modules`, join(project.path, 'node_modules'));
    return project;
  }

  /** Runs `ui/build.ts`. @param prefix a command, such as `unshare` with its options, that is to start the build */
  build(args: readonly string[] = [], prefix: readonly string[] = []): Promise<Ended> {
    const [program = '', ...rest] = [...prefix, process.execPath, join(this.path, 'ui/build.ts'), ...args];
    return new Promise((resolve) => {
      execFile(program, rest, { cwd: this.path }, (error, _, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stderr }),
      );
    });
  }

  /** Returns the files of `ui/dist`, each with the time of its last change in milliseconds since 1970. */
  async built(): Promise<Readonly<Record<string, number>>> {
    const dist = join(this.path, 'ui/dist');
    const entries = await readdir(dist, { recursive: true }).catch(() => []);
    const timed = entries.sort().map(async (name) => [name, (await stat(join(dist, name))).mtimeMs] as const);
    return Object.fromEntries(await Promise.all(timed));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}
