import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../../config/read.ts';
import type { Config } from '../../config/schema.ts';
import { explain } from '../../operate/start-fault.ts';
import { tracePackages } from '../../operate/traces/open-tracer.ts';
import { commandError, oneLine } from '../output.ts';
import { type DoctorCheck, describe, fail, ok, warn } from './check.ts';
import { runChecks } from './run-checks.ts';

/** `doctor`: checks everything that the service needs, whether it runs or not, and suggests fixes. */
export async function doctorCommand(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean' } } });
  const checks = await checkAll();
  if (values.json === true) console.log(JSON.stringify({ checks }));
  else for (const check of checks) console.log(describe(check));
  const failed = checks.filter(({ status }) => status === 'fail').map(({ name }) => name);
  if (failed.length > 0) throw commandError(`checks failed: ${failed.join(', ')}`);
}

async function checkAll(): Promise<readonly DoctorCheck[]> {
  try {
    const { config, warnings } = readConfig();
    return [await checkSettings(config, warnings), ...(await runChecks(config))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [fail('settings', error.faults.join('; '), 'correct them; see core/config/default.env')];
  }
}

async function checkSettings(config: Config, warnings: readonly string[]): Promise<DoctorCheck> {
  try {
    await tracePackages(config);
  } catch (error) {
    return fail('settings', oneLine(explain(error)), 'the service does not start before');
  }
  if (warnings.length === 0) return ok('settings', 'all valid');
  return warn('settings', warnings.join('; '), 'see core/config/default.env');
}
