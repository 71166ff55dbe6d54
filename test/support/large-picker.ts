import type { Frame } from 'playwright-core';
import type { CustomerPage } from './browser-customer/customer.ts';
import { mustBe } from './connect.ts';
import type { Client } from './http-client.ts';
import { until } from './until.ts';

const FIRST = ['Amber', 'Birch', 'Cobalt', 'Delta', 'Ember', 'Fjord', 'Granite', 'Harbour', 'Indigo', 'Juniper'];
const SECOND = ['Accounts', 'Boards', 'Calls', 'Desk', 'Events', 'Files', 'Goals', 'Hiring', 'Invoices', 'Journal'];
const THIRD = ['', 'Cloud', 'Enterprise', 'Free', 'Global', 'Lite', 'Mobile', 'Plus', 'Pro', 'Teams'];
const CATEGORIES = ['accounting', 'crm', 'communication', 'storage', 'hris', 'marketing', 'ticketing'];

/** Returns a catalogue of this many providers, which have different names and use API keys. */
export function largeCatalogue(count: number): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [nameOf(at).toLowerCase().replaceAll(' ', '-'), providerOf(at)]),
  );
}

function nameOf(at: number): string {
  const digit = (place: number) => Math.floor(at / place) % 10;
  return [FIRST[digit(1)], SECOND[digit(10)], THIRD[digit(100)]].filter(Boolean).join(' ');
}

function providerOf(at: number): object {
  return {
    display_name: nameOf(at),
    categories: [CATEGORIES[at % CATEGORIES.length]],
    docs: 'https://docs.example.com',
    auth_mode: 'API_KEY',
    proxy: { base_url: `https://api-${at}.example.com` },
  };
}

/** Creates an integration of each of these providers, with the provider's name as its key. */
export async function integrateAll(api: Pick<Client, 'post'>, providers: readonly string[]): Promise<void> {
  for (const provider of providers) mustBe(200, await api.post('/integrations', { unique_key: provider, provider }));
}

/**
 * Opens the connect window by clicking in the application's page.
 *
 * @returns its frame, and the milliseconds from the click until the picker reports that it has loaded
 */
export async function openPicker(page: CustomerPage, sessionToken: string): Promise<{ frame: Frame; ms: number }> {
  await page.openWindow({ sessionToken });
  const frame = await page.frame();
  await until('the picker is there', async () => (await page.types()).includes('loaded'), 20_000);
  const clickedAt = await page.read<number>('customer.clickedAt');
  const { at = '' } = (await page.events()).find(({ type }) => type === 'loaded') ?? {};
  return { frame, ms: Date.parse(at) - clickedAt };
}

export interface SearchAnswer {
  /** The milliseconds from a key press until its result has been painted. */
  readonly ms: number;
  readonly rows: number;
  readonly status: string;
}

/** A script that records each result. A message that is sent in `requestAnimationFrame` arrives after the frame is painted. */
const WATCH = `globalThis.answers = [];
addEventListener('input', ({ timeStamp }) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => answers.push({
    ms: performance.now() - timeStamp,
    rows: document.querySelectorAll('li').length,
    status: [...document.querySelectorAll('[role=status]')].map((one) => one.textContent).join(''),
  });
  port2.postMessage(0);
}), true);`;

/** Types a query into the search field, key by key, and waits for the result of each key before the next one. */
export async function typeIntoSearch({ page }: CustomerPage, frame: Frame, query: string): Promise<readonly SearchAnswer[]> {
  await frame.evaluate(`void (() => { ${WATCH} })()`);
  for (const [at, key] of Array.from(query).entries()) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    await until('it is answered', async () => (await frame.evaluate<number>('answers.length')) > at);
  }
  return frame.evaluate('answers');
}
