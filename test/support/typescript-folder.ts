import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from './source-files.ts';

/** `typescript` is the release before, which still takes `moduleResolution: node10`. */
export type Compiler = 'typescript-native' | 'typescript';

/** What the compiler says of a folder with a `tsconfig.json`, a line each. */
export function compile(folder: string, compiler?: Compiler): readonly string[] {
  return complaints(folder, ['--noEmit', '-p', folder], compiler);
}

/** @param args for the compiler, as if run in the folder */
export function complaints(folder: string, args: readonly string[], compiler: Compiler = 'typescript-native'): readonly string[] {
  const command = [join(projectFolder, 'node_modules', compiler, 'bin/tsc'), '--pretty', 'false', ...args];
  const { stdout, stderr, error } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  if (error !== undefined || stderr !== '') throw error ?? new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}
