import { expect } from 'chai';
import { CommandLine } from '../support/command-line.ts';
import { use } from '../support/use.ts';

describe('--help', function () {
  const commandLine = use(this, async () => new CommandLine());

  it('lists every command, and after each of them prints its arguments', async () => {
    const { stdout } = await commandLine.run({}, '--help');
    const names = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name = '']) => name);
    expect(names).to.include.members(['start', 'restore', 'scripts']);
    for (const name of names) {
      const usage = await commandLine.run({}, name, '--help');
      expect([usage.code, usage.stderr], name).to.deep.equal([0, '']);
      expect(usage.stdout.split('\n')[0], name).to.match(new RegExp(`^svc ${name}( |$)`));
    }
    const { code, stdout: restore } = await commandLine.run({}, 'restore', 'FILE', '-h');
    expect([code, restore]).to.deep.equal([
      0,
      'svc restore FILE [--passphrase-file FILE] [--json]\n' +
        'svc restore FILE --check [--passphrase-file FILE] [--json]\n' +
        'svc restore FILE --keys-to KEYS [--passphrase-file FILE] [--json]\n\n' +
        'Everything else: docs/command-line.md\n',
    ]);
  });
});
