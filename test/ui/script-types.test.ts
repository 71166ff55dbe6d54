import { expect } from 'chai';
import { readScriptTypes } from '../../ui/pipeline/script-types.ts';

describe('what the dashboard knows of the types of scripts', () => {
  const types = readScriptTypes();
  const memberOf = (type: string, name: string) => types[type]?.find((one) => one.name === name);

  it('is each member in one line, with its comment', () => {
    expect(memberOf('Svc', 'updateMetadata')).to.deep.equal({
      name: 'updateMetadata',
      code: 'updateMetadata(metadata: JsonObject): Promise<JsonObject>',
      text: "Replaces the named fields of the connection's metadata, and keeps the others.",
      isMethod: true,
      takes: [],
      gives: [],
    });
    expect(memberOf('Svc', 'proxy')?.text).to.match(/credentials\. Throws `ScriptError` with `status` when .* 400 or more\.$/);
    expect(memberOf('WebhookEvent', 'verified')).to.include({ code: 'verified: boolean', isMethod: false });
  });

  it('is what calls take, and what they resolve to, with the types that have no name', () => {
    expect(memberOf('Svc', 'post')).to.deep.include({ takes: ['ProxyRequest'], gives: ['ProxyResponse'] });
    expect(memberOf('Svc', 'proxy')).to.deep.include({ takes: ['ProxyRequest', 'Svc.proxy'] });
    expect(memberOf('Svc.getIntegration', 'webhook_secret')?.code).to.equal('webhook_secret: string | null');
    expect(memberOf('ScriptErrorConstructor', 'new')).to.deep.include({ takes: ['ScriptErrorConstructor.new'] });
    const known = Object.values(types).flatMap((members) => members.flatMap(({ takes, gives }) => [...takes, ...gives]));
    expect(Object.keys(types)).to.include.members(known);
  });

  it('has a comment for every member of what a script is given', () => {
    for (const type of ['Svc', 'Svc.getIntegration', 'ProxyRequest', 'WebhookEvent'])
      for (const { name, text } of types[type] ?? expect.fail(type)) expect(text, `${type}.${name}`).to.match(/^\S.*\.$/);
  });
});
