import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from './source-files.ts';

const SOURCES = ['package.json', 'package-lock.json', 'tsconfig.json', 'ui', 'sdk/frontend'];

interface Ended {
  readonly code: number;
  readonly stderr: string;
}

/** A copy of what `ui/build.ts` builds, itself included, without a build; for tests that change it. */
export class UiProject implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async copy({ hasPackages = true } = {}): Promise<UiProject> {
    const project = new UiProject(await mkdtemp(join(tmpdir(), 'svc-ui-')));
    const isSource = (path: string) => !/\/dist$/.test(path);
    for (const name of SOURCES) await cp(projectFolder + name, join(project.path, name), { recursive: true, filter: isSource });
    if (hasPackages) await project.linkPackages();
    return project;
  }

  linkPackages(): Promise<void> {
    return symlink(`${projectFolder}node_modules`, join(this.path, 'node_modules'));
  }

  /** Runs `ui/build.ts`. @param prefix a program that runs it */
  build(args: readonly string[] = [], prefix: readonly string[] = []): Promise<Ended> {
    const [program = '', ...rest] = [...prefix, process.execPath, join(this.path, 'ui/build.ts'), ...args];
    return new Promise((resolve) => {
      execFile(program, rest, { cwd: this.path }, (error, _, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stderr }),
      );
    });
  }

  /** Each file of `ui/dist` with the time of its last change. */
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
