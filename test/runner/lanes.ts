import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { words } from '../support/words.ts';

/** `gate` is what `npm test` runs, and `rest` is everything else. */
export type Lane = 'gate' | 'rest' | 'all';

export const LANES: readonly Lane[] = ['gate', 'rest', 'all'];

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** Folders of the gate, except for the files that `SLOW` names. */
const GATE = words`
  test/api test/contract test/core test/flows test/rules test/runner test/sdk test/security test/ui
  plugins providers
`;

/** Files of these folders that are not in the gate, because they wait for seconds or for processes that they start. */
const SLOW = words`
  test/core/db/embedded-postgres test/core/db/instances test/core/db/database test/core/server/early-responses
  test/core/operate/keys/rotate test/core/operate/backup/daily-backup test/core/operate/backup/pg-dump
  test/core/kit/outbound-call-paused
  test/core/scripts/script-folders

  test/flows/authorization-crash test/flows/connect-link-direct test/flows/demo test/flows/disaster
  test/flows/integration-deletion
  test/flows/guide-commands test/flows/plugin-guide test/flows/provider-account test/flows/scripts-deletion
  test/flows/scripts-directory test/flows/scripts-proxy test/flows/scripts-validate test/flows/shared-payloads

  test/sdk/package

  test/security/injection test/security/inner-addresses test/security/inner-webhook-targets test/security/log-lines
  test/security/mass-assignment test/security/random test/security/secrets-stay-inside test/security/template-values
  test/security/tenants
`;

/** Files of other folders that are in the gate: one real run through each interface, and files that take hardly any time. */
const WALKS = words`
  test/browser/connect-link test/browser/sdk-window test/browser/first-five-minutes
  test/faults/killed-holder test/scripts-runtime/hostile-scripts test/scripts-runtime/isolate-limit
  test/cli/doctor-network test/cli/script-bundles
`;

/** Files that measure times or memory, which other tests would distort. Each of them runs alone, after all other files. */
const ALONE = words`test/load/event-loop-lag test/load/slow-patterns test/load/webhook-floods test/endurance/`;

/**
 * Files whose tests may turn out differently for a normal user than for root. They are about the owners of data directories,
 * sockets, and processes of the database, of npm and of scripts, and about folders that nobody may read. When root runs the
 * tests, these files run as another user.
 */
const NORMAL_USER = words`
  test/process/installation test/process/npm-scripts
  test/core/db/embedded-postgres/embedded-postgres.test test/core/scripts/script-folders
  test/scripts-runtime/process-walls test/scripts-runtime/walls
`;

/**
 * Folders whose tests depend on processes, browsers and time. A file that fails there is run once more, alone. If it passes then,
 * the run counts as passed and names the file. Find the cause before you start anything else.
 */
const REPEATED = words`
  test/flows/ test/browser/ test/faults/ test/process/ test/cli/ test/load/ test/endurance/ test/security/ test/scripts-runtime/
  test/core/db/embedded-postgres/
`;

/** The folders whose files take longest. */
const LONGEST = words`
  test/faults/ test/process/ test/cli/ test/browser/ test/security/ test/flows/ test/scripts-runtime/ test/rules/ test/ui/
`;

/** All lists. Each entry is the beginning of file paths. */
export const LISTS = { GATE, SLOW, WALKS, ALONE, NORMAL_USER, REPEATED, LONGEST } as const;

export const isAlone = (file: string) => isOneOf(file, ALONE);
export const isForNormalUser = (file: string) => isOneOf(file, NORMAL_USER);
export const isRepeated = (file: string) => isOneOf(file, REPEATED);

/** Returns the files of a lane in the order in which they are started, relative to the project. */
export function filesOf(lane: Lane): readonly string[] {
  const files = globSync('{test,plugins,providers}/**/*.test.ts', { cwd: PROJECT }).map((file) => file.replaceAll('\\', '/'));
  const own = files.filter((file) => lane === 'all' || isInGate(file) === (lane === 'gate'));
  return longestFirst(own.sort());
}

/** Returns the test files with these names or in these folders. @throws Error for a name without any test file */
export function filesNamed(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const path = relative(PROJECT, resolve(name)).replaceAll('\\', '/');
    const found = path.endsWith('.test.ts')
      ? [path].filter(isFile)
      : filesOf('all').filter((file) => file.startsWith(`${path}/`));
    if (found.length === 0) throw new Error(`there is no test file ${name}, and no folder with any`);
    return found;
  });
}

const isFile = (path: string) => existsSync(join(PROJECT, path));

function isInGate(file: string): boolean {
  return (isOneOf(file, GATE) && !isOneOf(file, SLOW)) || isOneOf(file, WALKS);
}

/**
 * Sorts the longest files first, so that the run does not end with one worker still busy with a long one, and mixes their
 * folders, since some files wait and others compute.
 */
function longestFirst(files: readonly string[]): readonly string[] {
  const long = LONGEST.map((folder) => files.filter((file) => file.startsWith(folder)));
  const places = long.flatMap((own) => own.map((file, at) => [at / own.length, file] as const));
  const mixed = places.toSorted(([one], [other]) => one - other).map(([, file]) => file);
  return [...mixed, ...files.filter((file) => !mixed.includes(file))];
}

function isOneOf(file: string, starts: readonly string[]): boolean {
  return starts.some((start) => file.startsWith(start));
}
