import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from './source-files.ts';

/** A TypeScript compiler. `typescript` is the previous release, which still accepts `moduleResolution: node10`. */
export type Compiler = 'typescript-native' | 'typescript';

/** Returns the compiler's messages for a folder with a `tsconfig.json`, one per line of output. */
export function compile(folder: string, compiler?: Compiler): readonly string[] {
  return complaints(folder, ['--noEmit', '-p', folder], compiler);
}

/** Runs the compiler in a folder with these arguments. @returns its messages, one per line of output */
export function complaints(folder: string, args: readonly string[], compiler: Compiler = 'typescript-native'): readonly string[] {
  const command = [join(projectFolder, 'node_modules', compiler, 'bin/tsc'), '--pretty', 'false', ...args];
  const { stdout, stderr, error } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  if (error !== undefined || stderr !== '') throw error ?? new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}
