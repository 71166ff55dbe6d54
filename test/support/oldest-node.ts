import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A Node on this machine. */
interface FoundNode {
  readonly path: string;
  /** The version, such as `v20.20.2`. */
  readonly version: string;
}

const OURS: FoundNode = { path: process.execPath, version: process.version };

/** Returns the oldest Node on the search path, for what users run on a Node of their own; that of this process if there is no other. */
export function oldestNode(): FoundNode {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const found = paths
    .filter((path) => existsSync(path))
    .map((path) => ({ path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() }));
  return [OURS, ...found].reduce((oldest, one) => (majorOf(one) < majorOf(oldest) ? one : oldest));
}

function majorOf({ version }: FoundNode): number {
  return Number(/^v(\d+)/.exec(version)?.[1]);
}
