import { expect } from 'chai';
import { sandboxAt } from '#contract';
import { providerDefinition } from '../../../core/catalogue/provider-definition.ts';

const SANDBOX = {
  display_name: 'Sandbox',
  docs: 'https://docs.acme.example',
  auth_mode: 'OAUTH2',
  sandbox: true,
  authorization_url: '/sandbox/authorize',
  token_url: '/sandbox/token',
};

const FAULTS: Readonly<Record<string, [Record<string, unknown>, RegExp]>> = {
  'a path of the service, if the service does not play the provider': [
    { ...SANDBOX, sandbox: undefined },
    /token_url: must be a URL/,
  ],
  'a sandbox with an address elsewhere': [
    { ...SANDBOX, token_url: 'https://acme.example/token' },
    /token_url: must be a path below/,
  ],
  'a sandbox that leaves its place': [{ ...SANDBOX, token_url: '/sandbox/../token' }, /token_url: must begin/],
  'a sandbox at another path of the service': [{ ...SANDBOX, token_url: '/webhook/token' }, /token_url: must begin/],
  'a sandbox with fields in which a host could stand': [
    { ...SANDBOX, connection_config: {} },
    /a sandbox provider cannot have connection_config/,
  ],
  'a sandbox of a mode that is not played': [{ ...SANDBOX, auth_mode: 'OAUTH1' }, /must be one of .* for a sandbox provider/],
};

function faultsOf(definition: object): string[] {
  const { error } = providerDefinition.safeParse(definition);
  return (error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('the definition of a sandbox', () => {
  it('has paths, which are URLs of the service', () => {
    expect(faultsOf(SANDBOX)).to.deep.equal([]);
    const at = sandboxAt(providerDefinition.parse(SANDBOX), 'https://svc.example/base');
    expect(at.token_url).to.equal('https://svc.example/base/sandbox/token');
  });

  for (const [fault, [definition, reason]] of Object.entries(FAULTS)) {
    it(`is refused for ${fault}`, () => expect(faultsOf(definition).join('\n')).to.match(reason));
  }
});
