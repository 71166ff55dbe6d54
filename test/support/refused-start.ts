import { expect } from 'chai';
import { freePort } from './free-port.ts';
import { type ServiceOptions, ServiceProcess } from './processes.ts';

/**
 * Starts a service with settings or a user that it must refuse, and asserts that it ends with an error message.
 *
 * @returns its standard error
 */
export async function refusedStart(env: ServiceOptions['env'], identity?: ServiceOptions['identity']): Promise<string> {
  await using service = new ServiceProcess({ env, port: await freePort(), ...(identity && { identity }) });
  expect((await service.exit).code).to.equal(1);
  expect(service.output.stderr).to.match(/^svc: /);
  expect(service.output.stderr).not.to.contain('    at ');
  return service.output.stderr;
}
