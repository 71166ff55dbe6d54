import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** The top-level folders that contain source files. */
export const SOURCE_FOLDERS = [
  'core',
  'plugins',
  'providers',
  'scripts-runtime',
  'migrations',
  'test',
  'bench',
  'deploy',
  'docs',
  'examples',
  'sdk',
  'ui',
];

export interface SourceFile {
  /** The path relative to the project folder, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/**
 * Returns the TypeScript files (`.ts`, `.tsx`) in the given top-level folders, parsed. Declaration files (`.d.ts`) are left out.
 */
export function sourceFiles(folders: readonly string[]): readonly SourceFile[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: projectFolder },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.d.ts') && !path.includes('node_modules/'))
    .sort()
    .map((path) => parseSource(path, readFileSync(projectFolder + path, 'utf8')));
}

export function parseSource(path: string, text: string): SourceFile {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** Returns the line of a node, counted from 1. */
export function lineOf(file: SourceFile, node: ts.Node): number {
  return file.tree.getLineAndCharacterOfPosition(node.getStart(file.tree)).line + 1;
}

/** Yields every node below `root`, parents first. */
export function* descendants(root: ts.Node): Generator<ts.Node> {
  for (const child of root.getChildren()) {
    yield child;
    yield* descendants(child);
  }
}
