import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { armKillPoint, killPoint } from '../../../core/kit/kill-point.ts';

const MODULE = fileURLToPath(new URL('../../../core/kit/kill-point.ts', import.meta.url));

describe('a kill point', () => {
  for (const faultAt of ['', 'migrate', 'migrate:', 'migrate:0', 'migrate:-1', 'migrate:x', ':1', 'Migrate:1']) {
    it(`cannot be armed with "${faultAt}"`, () => {
      expect(() => armKillPoint(faultAt)).to.throw(RangeError, 'name:n');
    });
  }

  it('does nothing while it is not armed', () => {
    expect(() => killPoint('migrate')).not.to.throw();
  });

  it('kills at the pass for which it is armed, and counts only passes under its own name', () => {
    const program = `
      import { armKillPoint, killPoint } from ${JSON.stringify(MODULE)};
      armKillPoint('here:2');
      for (const name of ['elsewhere', 'here', 'elsewhere', 'here', 'here']) { killPoint(name); console.log(name); }`;
    const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
    expect(signal).to.equal('SIGKILL');
    expect(stdout.split('\n')).to.deep.equal(['elsewhere', 'here', 'elsewhere', '']);
  });
});
