import { findChromium, launch } from '../test/support/browser.ts';
import { startCustomer } from '../test/support/browser-customer/customer.ts';
import { makeFolders } from '../test/support/folders.ts';
import { integrateAll, largeCatalogue, openPicker, typeIntoSearch } from '../test/support/large-picker.ts';
import { quantile } from './quantile.ts';
import { startOurService } from './service.ts';

const PROVIDERS = 1_000;
const INTEGRATIONS = 300;
const ROUNDS = 5;
const GOAL_OPEN_MS = 1_000;
const GOAL_ANSWER_MS = 100;

/**
 * Measures, in a new browser profile, the time from a click in an application's page until the connect window lists 300
 * integrations, and from a key press until the results of a search are shown.
 */
export async function run(): Promise<void> {
  const executable = findChromium();
  if (executable === undefined) {
    console.log('  no Chromium');
    return;
  }
  await using stack = new AsyncDisposableStack();
  const catalogue = largeCatalogue(PROVIDERS);
  const files = Object.entries(catalogue).map(([name, definition]) => [`${name}/provider.json`, JSON.stringify(definition)]);
  const folders = stack.use(await makeFolders(Object.fromEntries(files)));
  const service = await startOurService(stack, 'http://127.0.0.1:9', { SVC_PROVIDERS_DIR: folders.path });
  if (service === undefined) return;
  const keys = Object.keys(catalogue).slice(0, INTEGRATIONS);
  await integrateAll(service.api, keys);
  const session = await service.api.post('/connect/sessions', { allowed_integrations: keys });
  const { token } = session.body.data;
  const url = `http://127.0.0.1:${service.port}`;
  const told = await fetch(`${url}/connect/session`, { headers: { authorization: `Bearer ${token}` } });

  const customer = stack.use(await startCustomer());
  const chromium = await launch(executable);
  stack.defer(() => chromium.close());
  const [opened, answered]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const profile = await chromium.newContext();
    const page = await customer.open(profile, url);
    const { frame, ms } = await openPicker(page, token);
    opened.push(ms);
    answered.push(...(await typeIntoSearch(page, frame, 'fjord files pro')).map((answer) => answer.ms));
    await profile.close();
  }
  const of = (list: readonly number[]) => `p50 ${quantile(list, 0.5).toFixed(0)} ms, p99 ${quantile(list, 0.99).toFixed(0)} ms`;
  console.log(`  session of ${INTEGRATIONS} integrations: ${(await told.arrayBuffer()).byteLength} bytes`);
  console.log(`  from the click to the picker: ${of(opened)} (goal: at most ${GOAL_OPEN_MS} ms)`);
  console.log(`  from a key to its answer: ${of(answered)} (goal: at most ${GOAL_ANSWER_MS} ms)`);
}
