import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../../config/read.ts';
import { refused } from '../output.ts';
import { type Check, describe, fail, ok, warn } from './check.ts';
import { examine } from './examine.ts';

/** `doctor`: looks at everything a service needs, running or not, and says what to mend. */
export async function doctorCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
  const checks = await examineAll();
  if (values.json === true) console.log(JSON.stringify({ checks }));
  else for (const check of checks) console.log(describe(check));
  const failed = checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  if (failed.length > 0) throw refused(`these need mending: ${failed.join(', ')}`);
}

async function examineAll(): Promise<readonly Check[]> {
  try {
    const { config, warnings } = readConfig();
    return [checkSettings(warnings), ...(await examine(config))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [fail('settings', error.faults.join('; '), 'correct them; core/config/default.env describes each')];
  }
}

function checkSettings(warnings: readonly string[]): Check {
  if (warnings.length === 0) return ok('settings', 'all can be used');
  return warn('settings', warnings.join('; '), 'core/config/default.env describes each');
}
