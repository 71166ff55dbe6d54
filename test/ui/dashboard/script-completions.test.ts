import { CompletionContext } from '@codemirror/autocomplete';
import { typescriptLanguage } from '@codemirror/lang-javascript';
import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { expect } from 'chai';
import { scriptCompletions } from '../../../ui/dashboard/editor/completions.ts';
import { readScriptTypes } from '../../../ui/pipeline/script-types.ts';

const TYPES = readScriptTypes();
const source = scriptCompletions(TYPES);
const SVC = TYPES['Svc']?.map(({ name }) => name) ?? [];
const EVENT = TYPES['WebhookEvent']?.map(({ name }) => name) ?? [];
const PARSE_MS = 10_000;
const REQUEST = ['endpoint', 'headers', 'params', 'data', 'retries'];

/** Returns what is offered at the bar of a text. */
async function offered(marked: string, explicit = true) {
  const pos = marked.indexOf('|');
  const begun = EditorState.create({ doc: marked.replace('|', ''), extensions: typescriptLanguage });
  // A state is parsed for 20 ms as it is created, which is too short on a busy machine. The next state has what is parsed here.
  ensureSyntaxTree(begun, begun.doc.length, PARSE_MS);
  const { state } = begun.update({});
  const result = await source(new CompletionContext(state, pos, explicit));
  return result?.options ?? [];
}
const names = async (marked: string, explicit?: boolean) => (await offered(marked, explicit)).map(({ label }) => label);
const inScript = (body: string) => `export default async function (svc) {\n  ${body}\n}\n`;
const inWebhook = (body: string, parameters = 'svc, event') => `export async function onWebhook(${parameters}) {\n  ${body}\n}\n`;

describe('completion in the editor of scripts', () => {
  const CASES: Readonly<Record<string, readonly [marked: string, members: readonly string[]]>> = {
    'a member of svc': [inScript('svc.|'), SVC],
    'a member that is begun': [inScript('await svc.get|'), SVC],
    'a member before more code': [inScript('svc.|\n  await svc.getMetadata();'), SVC],
    'a member of svc in an arrow function': ['export default async (svc) => svc.|;', SVC],
    'a member of svc by another name': ['export default async (service) => service.|;', SVC],
    'a member of svc in a function of its own, by its type': ['async function register(svc: Svc) { svc.| }', SVC],
    'a member of svc in a function within the script': [inScript('[1].map((one) => svc.|);'), SVC],
    'a member of a member': [inScript('svc.console.|'), ['debug', 'log', 'info', 'warn', 'error']],
    'a member of the event': [inWebhook('if (event.|)'), EVENT],
    'a member of the event, with types': [inWebhook('event.|', 'svc: Svc, event: WebhookEvent'), EVENT],
    'what a parameter is taken apart into': [inWebhook('', 'svc, { type, | }'), EVENT.filter((name) => name !== 'type')],
    'a key of a request': [inScript('await svc.post({ | });'), REQUEST],
    'a key of a request after others': [
      inScript("await svc.post({ endpoint: '/hooks', r| });"),
      REQUEST.filter((name) => name !== 'endpoint'),
    ],
    'a key of a request that names its method': [inScript('await svc.proxy({ | });'), [...REQUEST, 'method']],
    'a key of the options of an error': [
      inScript("throw new svc.ScriptError('no', { | });"),
      ['status', 'code', 'response', 'cause'],
    ],
    'what a response is taken apart into': [
      inScript("const { | } = await svc.get({ endpoint: '/me' });"),
      ['status', 'headers', 'data'],
    ],
    'a member of a response': [
      inScript("const response = await svc.get({ endpoint: '/me' });\n  response.|"),
      ['status', 'headers', 'data'],
    ],
    'a member of what a call resolves to': [
      inScript('(await svc.getIntegration()).|'),
      ['webhook_url', 'connection_webhook_url', 'webhook_secret'],
    ],
    'nothing for a member of a text': [inScript('svc.connectionId.|'), []],
    'nothing for a variable in its own declaration': [inScript('const data = data.|;'), []],
    'nothing for a name that is not known': [inScript('other.|'), []],
    'nothing for a parameter of an inner function': [inScript('[1].map((one) => one.|);'), []],
    'nothing for the value of a key': [inScript('await svc.post({ endpoint: | });'), []],
    'nothing within the data of a request': [inScript('await svc.post({ data: { | } });'), []],
    'nothing in a comment': [inScript('// svc.|'), []],
    'nothing in a text': [inScript("svc.log('svc.|');"), []],
  };
  for (const [what, [marked, members]] of Object.entries(CASES))
    it(`offers ${what}`, async () => {
      expect(await names(marked)).to.have.members([...members]);
    });

  it('shows the type and the comment of a member', async () => {
    const found = (await offered(inScript('svc.|'))).find(({ label }) => label === 'getVariable');
    expect(found).to.include({ detail: '(name: string): Promise<string | null>', type: 'method' });
    expect(found?.info).to.match(/^Returns a variable of the environment \(svc env set /);
  });

  it('opens within braces only when a key is begun, or on request', async () => {
    expect(await names(inScript('await svc.post({ | });'), false)).to.deep.equal([]);
    expect(await names(inScript('await svc.post({ e| });'), false)).to.have.members(REQUEST);
    expect(await names(inScript('svc.|'), false)).to.have.members(SVC);
  });
});
